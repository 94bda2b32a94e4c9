/** `NAME@HOST`: a variable of the environment, and the one host that it may be sent to. */

/** How one is written. */
export const SECRET_RULE = /^([A-Za-z_]\w*)@(\S+)$/;

/** Read one; undefined for what is none. */
export function readSecretRule(rule: string): { name: string; host: string } | undefined {
  const [, name, host] = SECRET_RULE.exec(rule) ?? [];
  return name === undefined || host === undefined ? undefined : { name, host };
}
