/** `harness acp connect`: what an editor opens in a terminal when a session cannot begin. */
import { acceptTerms, findPlace } from "@/compose/place.ts";
import { tell } from "@/terminal/process.ts";
import { connectFromShell } from "../connect.ts";
import { plainScreen } from "../plain_screen.ts";

/** Ask about the terms, where they were not accepted, then choose a provider. Resolves to the exit code. */
export async function setUp(): Promise<number> {
  const place = await findPlace({});
  const screen = plainScreen();
  try {
    await acceptTerms(place, {
      ask: (text, question) => screen.ask(`${text}\n\n${question}`),
      warn: tell,
    });
    return await connectFromShell([], {}, screen);
  } finally {
    screen.close();
  }
}
