/** Failures that only an Ollama server has, in its own commands and variables. */
import { address, model, said } from "./error_words.ts";
import type { ErrorRows } from "./errors.ts";

export const OLLAMA_ROWS: ErrorRows = {
  connection: [
    {
      name: "Ollama is not running",
      when: ({ problem }) => problem === "refused",
      kind: "connection",
      message: (_, target) => `Ollama does not answer: nothing listens at ${address(target)}`,
      hint: () =>
        'Start it with "ollama serve"; if it runs elsewhere, set OLLAMA_HOST or --base-url',
      again: "once",
    },
  ],
  reply: [
    {
      name: "Ollama sign-in",
      when: ({ status, body }, target) =>
        status === 401 && target.connection.key === undefined &&
        (body.signInUrl !== undefined || /unauthorized/i.test(body.message)),
      kind: "auth",
      message: (fact, target) =>
        `${model(target)} runs in Ollama's cloud, and this Ollama is not signed in${said(fact)}`,
      hint: ({ body }) =>
        `Run "ollama signin"${
          body.signInUrl === undefined ? "" : ` (or open ${body.signInUrl})`
        }, set OLLAMA_API_KEY, or choose a local model`,
      again: "no",
    },
    {
      name: "model not pulled",
      when: ({ status, body }) =>
        status === 404 && /model.*not found|try pulling/i.test(body.message),
      kind: "not_found",
      message: (fact, target) =>
        `Ollama at ${address(target)} does not have ${model(target)}${said(fact)}`,
      hint: (_, target) =>
        `Get it with "ollama pull ${
          target.model ?? "MODEL"
        }", choose one from /models, or set OLLAMA_HOST if another server has it`,
      again: "no",
    },
    {
      name: "Ollama is busy",
      when: ({ status }) => status === 503,
      kind: "overloaded",
      message: (fact) => `Ollama has too many requests waiting${said(fact)}`,
      hint: () =>
        "Wait for the others to end, or raise OLLAMA_MAX_QUEUE where the server is started",
      again: "yes",
    },
    {
      name: "Ollama cloud unreachable",
      when: ({ status }) => status === 502,
      kind: "overloaded",
      message: (fact, target) =>
        `Ollama cannot reach its cloud, where ${model(target)} runs${said(fact)}`,
      hint: () => "Check the network connection of the Ollama server, or choose a local model",
      again: "yes",
    },
  ],
};
