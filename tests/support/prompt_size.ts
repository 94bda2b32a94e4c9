/** What a scripted server counts for a request: a token for four characters of what was sent. */
export function tokens(body: unknown): number {
  return Math.ceil(JSON.stringify(body).length / 4);
}
