/** Error sentences for requests that got no reply, or not the whole of it. The first row that fits is the one. */
import { CERTIFICATE_HINT } from "@/lib/certificates.ts";
import type { ErrorRow, Failure, RetryAdvice, Target } from "./failure.ts";
import {
  address,
  addressPlace,
  capital,
  duration,
  host,
  key,
  keyPlaces,
  model,
  quoted,
  server,
} from "./error_words.ts";

export type ConnectionFact = Extract<Failure, { at: "connection" }>;

export type ConnectionRow = ErrorRow<ConnectionFact>;

/** A name of the person's own may be misspelt; one of ours fails only when the network does. */
const unlessOwn = ({ connection }: Target): RetryAdvice["again"] =>
  connection.baseUrlFrom.kind === "default" ? "yes" : "once";

const isSelfHosted = ({ connection }: Target) => connection.provider.isSelfHosted === true;

const wayThere = (_: ConnectionFact, target: Target) =>
  `Check the network connection, then ${addressPlace(target)}; behind a proxy, set HTTPS_PROXY`;

export const CONNECTION_ROWS: readonly ConnectionRow[] = [
  {
    name: "offline",
    when: ({ problem }) => problem === "offline",
    kind: "connection",
    message: (_, target) =>
      `Nothing was sent to ${host(target)}: --offline allows only this machine`,
    hint: () => "Start without --offline, or use a model on this machine with -m or --base-url",
    again: "no",
  },
  {
    name: "no key to send",
    when: ({ problem }) => problem === "no_key",
    kind: "auth",
    message: (_, target) => `Nothing was sent to ${host(target)}: it wants a key and none is set`,
    hint: (_, target) => capital(keyPlaces(target)),
    again: "no",
  },
  {
    name: "key that is none",
    when: ({ problem }) => problem === "bad_key",
    kind: "auth",
    message: (_, target) =>
      `Nothing was sent to ${host(target)}: ${key(target)} holds a character that no key has`,
    hint: (_, { connection }) => {
      const { keyFrom, provider } = connection;
      const elsewhere = `use /connect ${provider.name}`;
      return keyFrom?.kind === "variable"
        ? `Copy the key into ${keyFrom.name} anew, or unset it and ${elsewhere}`
        : `Copy the key anew: ${elsewhere}`;
    },
    again: "no",
  },
  {
    name: "nothing listens",
    when: ({ problem }) => problem === "refused",
    kind: "connection",
    message: (_, target) =>
      `${capital(server(target))} does not answer: nothing listens at ${address(target)}`,
    hint: (_, target) => `Start the server, or correct ${addressPlace(target)}`,
    again: "once",
  },
  {
    name: "unknown host",
    when: ({ problem }) => problem === "unknown_host",
    kind: "connection",
    message: (_, target) =>
      `No host named ${quoted(host(target))} is known; the base URL is ${address(target)}`,
    hint: wayThere,
    again: unlessOwn,
  },
  {
    name: "unreachable",
    when: ({ problem }) => problem === "unreachable",
    kind: "connection",
    message: (_, target) => `${host(target)} cannot be reached; the base URL is ${address(target)}`,
    hint: wayThere,
    again: unlessOwn,
  },
  {
    name: "certificate",
    when: ({ problem }) => problem === "certificate",
    kind: "connection",
    message: ({ words }, target) =>
      `The certificate of ${host(target)} is not trusted: ${
        quoted(words.split(": ").at(-1) ?? words)
      }`,
    hint: (_, target) =>
      `Where a proxy or a private server signs for itself, name its certificates in SSL_CERT_FILE; else check ${
        addressPlace(target)
      }`,
    again: "no",
  },
  {
    name: "no TLS",
    when: ({ problem }) => problem === "no_tls",
    kind: "connection",
    message: (_, target) => `No https is spoken at ${address(target)}`,
    hint: (_, target) =>
      `If the server speaks plain http, write http:// in ${addressPlace(target)}`,
    again: "once",
  },
  {
    name: "no HTTP",
    when: ({ problem }) => problem === "no_http",
    kind: "connection",
    message: (_, target) => `No plain http is spoken at ${address(target)}`,
    hint: (_, target) =>
      `If the server wants https, write https:// in ${addressPlace(target)}; else check the port`,
    again: "once",
  },
  {
    name: "proxy",
    when: ({ problem }) => problem === "proxy",
    kind: "connection",
    message: ({ variable, words }, target) =>
      `The proxy of ${variable ?? "HTTPS_PROXY"} did not let the request to ${
        host(target)
      } through: ${quoted(words.split(": ").at(-1) ?? words)}`,
    hint: ({ variable }) =>
      `Check ${variable ?? "HTTPS_PROXY"}; a host named in NO_PROXY is reached without it`,
    again: "once",
  },
  {
    name: "certificate file",
    when: ({ problem }) => problem === "ca_file",
    kind: "connection",
    message: ({ words }) => words,
    hint: () => CERTIFICATE_HINT,
    again: "no",
  },
  {
    name: "blocked port",
    when: ({ problem }) => problem === "blocked",
    kind: "connection",
    message: (_, target) => `The port of ${address(target)} is one that no web request may use`,
    hint: (_, target) =>
      `Let the server listen on another port, and correct ${addressPlace(target)}`,
    again: "no",
  },
  {
    name: "silent from the start",
    when: ({ problem }) => problem === "silent_before",
    kind: "connection",
    message: ({ afterMs = 0 }, target) =>
      `${capital(server(target))} accepted the request and sent nothing for ${duration(afterMs)}`,
    hint: (_, target) =>
      isSelfHosted(target)
        ? "A large model may take longer to load: raise FIRST_TOKEN_TIMEOUT, or try a smaller one"
        : "Try again later, or raise FIRST_TOKEN_TIMEOUT",
    again: "yes",
  },
  {
    name: "silent in the middle",
    when: ({ problem }) => problem === "silent_after",
    kind: "connection",
    message: ({ afterMs = 0 }, target) =>
      `${capital(server(target))} fell silent in the middle of its reply, for ${duration(afterMs)}`,
    hint: () => "Try again, or raise STREAM_IDLE_TIMEOUT",
    again: "yes",
    soon: true,
  },
  {
    name: "reply cut off",
    when: ({ problem }) => problem === "cut",
    kind: "connection",
    message: (_, target) => `The reply of ${server(target)} ended before it was complete`,
    hint: (_, target) =>
      isSelfHosted(target)
        ? `Try again; if it happens each time, the log of ${server(target)} says why`
        : "Try again; if it happens each time, a proxy on the way may be cutting long replies",
    again: "yes",
    soon: true,
  },
  {
    name: "not the protocol",
    when: ({ problem }) => problem === "garbled",
    kind: "connection",
    message: ({ words }, target) =>
      `${capital(server(target))} sent something that is not a reply of its API: ${quoted(words)}`,
    hint: (_, target) =>
      `Try again; if it stays so, check that ${addressPlace(target)} names the right server`,
    again: "once",
    soon: true,
  },
  {
    name: "model fault",
    when: ({ problem }) => problem === "model_fault",
    kind: "unknown",
    message: ({ words }, target) =>
      `${model(target)} made a reply that its own API cannot read: ${quoted(words)}`,
    hint: () => "Say it again in other words, or use another model",
    again: "once",
    soon: true,
  },
  {
    name: "connection lost",
    when: () => true,
    kind: "connection",
    message: ({ words }, target) =>
      `The connection to ${host(target)} was lost: ${quoted(words.split(": ").at(-1) ?? words)}`,
    hint: () => "Check the network connection and try again",
    again: "yes",
    soon: true,
  },
];
