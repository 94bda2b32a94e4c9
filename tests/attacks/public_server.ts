/** What stands at the public address: a server that answers as an attack says and records what it is sent. */
import { constants, deflateRawSync } from "node:zlib";
import { PUBLIC_ADDRESS } from "../support/network_world.ts";
import type { Route } from "./case_file.ts";

/** Answers by path; "public page" where nothing is said. `record` is given each request, headers and all. */
export function startPublicServer(
  routes: Readonly<Record<string, Route>>,
  record: (request: string) => void,
): Deno.HttpServer {
  const serve = async (request: Request) => {
    const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    record(`${request.method} ${request.url}\n${headers}\n\n${await request.text()}`);
    return answer(routes[new URL(request.url).pathname]);
  };
  return Deno.serve({ hostname: PUBLIC_ADDRESS, port: 80, onListen: () => {} }, serve);
}

function answer(route: Route | undefined): Response {
  if (route === undefined) return new Response("public page\n");
  const { status, location, body, headers, gzip_bomb_mb: bombMb } = route;
  const all = new Headers(headers);
  if (location !== undefined) all.set("location", location);
  if (bombMb === undefined) return new Response(body ?? "", { status, headers: all });
  all.set("content-encoding", "gzip");
  if (!all.has("content-type")) all.set("content-type", "text/plain");
  return new Response(bomb(bombMb), { status, headers: all });
}

const PIECE_MB = 10;
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/** One gzip stream of zeros. Pieces are packed by themselves, so that one of them serves for all. */
function bomb(megabytes: number): ReadableStream<Uint8Array> {
  const zeros = new Uint8Array(PIECE_MB * 1024 * 1024);
  const piece = new Uint8Array(deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH }));
  let left = megabytes;
  return new ReadableStream({
    start: (controller) => controller.enqueue(Uint8Array.from(GZIP_HEADER)),
    pull: (controller) => {
      if (left <= 0) return controller.close();
      left -= PIECE_MB;
      controller.enqueue(piece);
    },
  });
}
