/** The web tools and what is asked about them, put together for one conversation. */
import type { FeatureParts, FeatureWork } from "@/compose/feature.ts";
import type { Policy } from "@/policy/policy.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { PROVIDERS } from "@/provider/mod.ts";
import { EgressRefused } from "@/sandbox/egress/mod.ts";
import { isAddress } from "@/sandbox/egress/address.ts";
import { targetOfUrl } from "@/sandbox/egress/target.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import { webTools } from "@/tools/mod.ts";
import type { Settings } from "@/settings/settings.ts";
import type { WebParts } from "@/web/fetch.ts";
import type { SearchLimits } from "@/web/search.ts";
import { namesOf, placeholdersIn } from "@/web/secrets.ts";
import { sourcesFor } from "@/web/sources/mod.ts";
import { HtmlReader } from "@/workers/html.ts";
import { FirstVisit } from "./first_visit.ts";

type Parts = Pick<FeatureParts, "automode" | "network" | "place" | "run" | "settings">;

/** Make them. `end` stops what they have started. */
export function webWork(parts: Parts, policy: Policy): { work: FeatureWork; end(): void } {
  const { network, place, run, settings, automode } = parts;
  const html = new HtmlReader();
  const web: WebParts = {
    client: () => network.client(),
    html,
    mayFollow: (to) => visits.mayFollow(to),
  };
  const secrets = {
    rules: () => settings.current.API_SECRETS,
    env: personEnv(place.env),
    providerKeys: PROVIDERS.flatMap(({ reached }) => reached?.keyVariables ?? []),
  };
  const searched = (query: string) =>
    sourcesFor(query, { searxngUrl: settings.current.SEARXNG_URL });
  const webSearch = {
    ...{ web, sources: searched },
    limits: () => limitsOf(settings.current),
    mayRead: (url: URL) => visits.mayRead(url),
    resultChars: () => settings.current.SEARCH_RESULT_CHARS,
  };
  const tools = webTools({ web, secrets, webSearch });
  const visits = new FirstVisit({
    ...{ tools, policy },
    isAuto: () => automode.isOn,
    isOffline: run.offline ?? false,
    refusal: async (url) => await refusalOf(url, parts),
    secretsOf: (call) => secretsOf(call, settings.current.API_SECRETS),
    searchHosts: (query) => searched(query).map(({ title }) => title).join(", "),
  });
  const { guard, sink, hook } = visits;
  return {
    work: { tools, guards: [guard], hooks: [hook], sink },
    end: () => html[Symbol.dispose](),
  };
}

function limitsOf(settings: Settings): SearchLimits {
  return {
    resultsMax: settings.SEARCH_MAX_RESULTS,
    candidates: settings.SEARCH_CANDIDATES,
    pagesMax: settings.SEARCH_FETCH_PAGES,
    pageChars: settings.SEARCH_PAGE_CHARS,
    passageChars: settings.SEARCH_PASSAGE_CHARS,
    sourceMs: settings.SEARCH_SOURCE_TIMEOUT * 1_000,
    pageMs: settings.SEARCH_FETCH_TIMEOUT * 1_000,
    totalMs: settings.SEARCH_TOTAL_TIMEOUT * 1_000,
  };
}

/** Addresses, and names that mean this machine, are known without asking anybody. */
async function refusalOf(url: URL, { network }: Parts): Promise<string | undefined> {
  const target = targetOfUrl(url);
  if (target === undefined) return undefined;
  if (!isAddress(target.host) && !/(^|\.)localhost$/.test(target.host)) return undefined;
  try {
    await (await network.egress()).check(target, "tool");
    return undefined;
  } catch (error) {
    if (error instanceof EgressRefused) return error.message;
    throw error;
  }
}

function secretsOf({ input }: GuardedCall, rules: readonly string[]): readonly string[] {
  const { headers = "", payload = "" } = input as { headers?: unknown; payload?: unknown };
  const named = namesOf(rules);
  return placeholdersIn(JSON.stringify([headers, payload])).filter((name) => named.has(name));
}
