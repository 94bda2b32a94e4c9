/** What commands about sessions reach. */
import type { ExportFormat } from "@/session/export.ts";
import type { CommandResult } from "../spec.ts";

/** The part `sessions` of what commands are lent. */
export type SessionsPart = {
  list(): Promise<string>;
  /** Those in which a text stands, with the places. */
  search(text: string): Promise<string>;
  /** Go on with the one session that is meant by an id, a title or a part of one. */
  load(query: string): Promise<CommandResult>;
  /** Let the person choose the one to go on with; where there is no picker, list them. */
  choose(): Promise<CommandResult>;
  /** As a file, or as the command's text where none is named; a page is always a file, named after the session. */
  exportAs(format: ExportFormat, file: string | undefined): Promise<CommandResult>;
  /** Whether it is saved, and where. */
  recording(): string;
  /** Save it from now on, or write nothing more; the text says how it is then. */
  record(on: boolean): Promise<string>;
  title(): string;
  retitle(title: string): Promise<CommandResult>;
};
