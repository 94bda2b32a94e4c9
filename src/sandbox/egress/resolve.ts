/** The addresses of a name, as every program of this machine finds them: hosts file, then DNS. */

/** Empty where there is no such host. Loaded late: `node:dns` costs what a start has no use for. */
export async function resolveName(name: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns");
  return await new Promise((resolve, reject) => {
    lookup(name, { all: true, verbatim: true }, (error, addresses) => {
      if (error === null) resolve(addresses.map(({ address }) => address));
      else if (isUnknown(error)) resolve([]);
      else reject(error);
    });
  });
}

function isUnknown({ code }: { code?: string | undefined }): boolean {
  return code !== undefined && /^(ENOTFOUND|EAI_\w+|ENODATA|EPERM)$/.test(code);
}
