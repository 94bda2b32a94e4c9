/** Passwords: recognised, typed by the person, seen by the program alone. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { REDACTED, Redactor, secretPrompt } from "@/shell/secret.ts";
import { shellTest, watch } from "../support/shell.ts";

Deno.test("secretPrompt() knows a question for a secret from other questions", () => {
  for (
    const text of [
      "Password: ",
      "building\n[sudo] password for jo: ",
      "jo@example.org's password:",
      "Enter passphrase for key '/home/jo/.ssh/id_ed25519': ",
      "Enter your API token: ",
      "Enter OTP:",
      "Verification code? ",
      "비밀번호: ",
      "パスワード：",
      "x\r\nPIN:",
    ]
  ) ok(secretPrompt(text) !== undefined, text);
  for (
    const text of [
      "",
      "name: ",
      "Password changed\n",
      "Do you want to set a password? [y/N] ",
      "Spinning: ",
      "tokens: ",
      "Password: \nname: ",
      `password ${"x".repeat(300)}:`,
    ]
  ) equal(secretPrompt(text), undefined, text);
  equal(secretPrompt("\x1b[2KPassword\u202e:"), "Password\\u{202e}:");
});

Deno.test("Redactor leaves secrets out, however the text is cut", () => {
  const cases: [secrets: string[], chunks: string[], expected: string][] = [
    [["hunter2"], ["the password is hunter2, hunter2"], `the password is ${REDACTED}, ${REDACTED}`],
    [["hunter2"], ["is hun", "ter", "2!"], `is ${REDACTED}!`],
    [["hunter2"], ["hunt", "ing"], "hunting"],
    [["hunter2", "correct"], ["corr", "ecthun", "ter2"], `${REDACTED}${REDACTED}`],
    [["abc"], ["abc"], "abc"],
    [[], ["abc"], "abc"],
  ];
  for (const [secrets, chunks, expected] of cases) {
    const redactor = new Redactor();
    for (const secret of secrets) redactor.hide(secret);
    equal(chunks.map((chunk) => redactor.take(chunk)).join("") + redactor.end(), expected);
  }
});

Deno.test("Redactor never lets a secret through, and changes nothing else", () => {
  const secret = "abcab";
  const text = fc.array(fc.constantFrom("a", "b", "c", "ab", secret, "\n", "한"), {
    maxLength: 12,
  });
  fc.assert(fc.property(text, (chunks) => {
    const redactor = new Redactor();
    redactor.hide(secret);
    const shown = chunks.map((chunk) => redactor.take(chunk)).join("") + redactor.end();
    ok(!shown.includes(secret), shown);
    equal(shown.replaceAll(REDACTED, secret), chunks.join(""));
  }));
});

const GETPASS = "python3 -c 'import getpass; print(len(getpass.getpass(\"Password: \")))'";
const asked: string[] = [];
const answers: (string | undefined)[] = [];
const askSecret = (question: string) => {
  asked.push(question);
  return Promise.resolve(answers.shift());
};

shellTest("the person types a secret, and it goes to the program only", async ({ shell }) => {
  asked.length = 0;
  answers.push("s3cret!");
  const on = watch();
  const command = "printf 'Password: '; read -r x; echo \"it is $x\"; printf '%s' \"$x\" | wc -c";
  const outcome = await shell.run({ command }, on);
  ok(outcome.kind === "ended");
  equal(outcome.output, `Password: [typed by the person, not shown]\nit is ${REDACTED}\n7\n`);
  ok(!on.seen.join("").includes("s3cret!"));
  equal(asked.length, 1);
  match(asked[0] ?? "", /^The command "printf 'Password: '; .*" of the model asks: Password:\n/);
  match(asked[0] ?? "", /goes to that program and not to the model; nothing and Enter leaves/);
}, { askSecret });

shellTest("a question that the person leaves alone is the model's", async ({ shell }) => {
  asked.length = 0;
  answers.push("", "never");
  const command =
    "printf 'Password: '; read -r x; printf 'Password again: '; read -r y; echo $x $y";
  const outcome = await shell.run({ command }, watch());
  ok(outcome.kind === "waiting");
  equal(outcome.output, "Password: ");
  const second = await shell.send(undefined, "model", watch());
  equal([second.kind, second.output], ["waiting", "Password again: "]);
  equal(await shell.send(undefined, "same", watch()), {
    kind: "ended",
    code: 0,
    output: "model same\n",
  });
  equal(asked.length, 1);
  answers.length = 0;
}, { askSecret });

shellTest("other questions are not the person's", async ({ shell }) => {
  asked.length = 0;
  equal((await shell.run({ command: "printf 'name: '; read -r x" }, watch())).kind, "waiting");
  equal(asked, []);
  await shell.close();
}, { askSecret });

shellTest("getpass takes what the person types", async ({ shell, processes }) => {
  if (await processes.find("python3") === undefined) return;
  answers.push("한글abc");
  const outcome = await shell.run({ command: GETPASS }, watch());
  ok(outcome.kind === "ended");
  match(outcome.output, /Password: \[typed by the person, not shown\]\n\n5\n$/);
}, { askSecret });
