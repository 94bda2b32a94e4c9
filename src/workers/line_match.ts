/** What a search finds in a piece of a file. Positions are bytes from the start of the piece; lines count from 0. */

/** The first match in a line, and how many more the line has. */
export type LineHit = {
  line: number;
  lineStart: number;
  start: number;
  more: number;
};

/** `matched` counts the lines that match, `newlines` the line ends of the piece. */
export type PieceMatch = { matched: number; newlines: number; hits: LineHit[] };

/** Looks through pieces that end at line ends (the last one may not). Gives at most `hitsMax` hits for one. */
export interface LineMatcher {
  match(piece: Uint8Array<ArrayBuffer>, hitsMax: number): Promise<PieceMatch>;
  close(): void;
}
