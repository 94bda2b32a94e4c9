/** What the protocol's own schema says of a line that we have written. */
import { Validator } from "@cfworker/json-schema";
import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };

/** Throws where a line is no message of the protocol, or an update or question does not fit its schema. */
export function assertProtocol(line: string): void {
  const { jsonrpc, method, params } = JSON.parse(line);
  if (jsonrpc !== "2.0") throw new Error(`No JSON-RPC: ${line}`);
  const name = NAMES[method as keyof typeof NAMES];
  if (name === undefined) return;
  const validator = new Validator(
    { $ref: `#/$defs/${name}`, $defs: schema.$defs } as never,
    "2020-12",
  );
  const { valid, errors } = validator.validate(params);
  if (valid) return;
  throw new Error(`${line} does not fit: ${errors.map(({ error }) => error).join("; ")}`);
}

const NAMES = {
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
} as const;
