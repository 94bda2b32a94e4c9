/** How families of models write calls as text: each family prints calls, and every JSON in it by a printer that may be careless. */

export type Call = readonly [name: string, args: Readonly<Record<string, unknown>>];

/** Prints an object: clean by default, damaged in one way in most texts of the corpus. */
export type Print = (value: unknown) => string;

export type Family = {
  name: string;
  /** `envelope`: name and arguments in JSON. `json`: arguments alone. `tags`, `python`: neither. */
  holds: "envelope" | "json" | "tags" | "python";
  /** `marked`: by tokens that stand in no prose. `whole`: a call only as the whole reply. */
  form: "marked" | "whole";
  /** Whether its marker is one only before the name of a tool. */
  isBare?: true;
  /** What closes it, where a call is also read without it. */
  closer?: string;
  /** Whether several calls can be written at once. */
  isPlural: boolean;
  write(calls: readonly Call[], print?: Print): string;
};

const clean: Print = (value) => JSON.stringify(value);

export const FAMILIES: readonly Family[] = [
  tagged("hermes", "<tool_call>\n", "\n</tool_call>"),
  tagged("longcat", "<longcat_tool_call>\n", "\n</longcat_tool_call>"),
  tagged("lm-studio", "[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
  tagged("tool_call fence", "```tool_call\n", "\n```"),
  listed("granite", "<|tool_call|>", ""),
  listed("nemotron", "<TOOLCALL>", "</TOOLCALL>"),
  listed("hunyuan", "<tool_calls>", "</tool_calls>"),
  listed("mistral", "[TOOL_CALLS] ", ""),
  listed("phi", "functools", ""),
  {
    ...envelope("minimax-m1", "marked"),
    closer: "\n</tool_calls>",
    write: (calls, print = clean) =>
      `<tool_calls>\n${calls.map((call) => print(named(call))).join("\n")}\n</tool_calls>`,
  },
  {
    ...envelope("cohere", "marked"),
    closer: "<|END_ACTION|>",
    write: (calls, print = clean) =>
      `<|START_ACTION|>[${
        calls.map(([name, args], at) =>
          print({ tool_call_id: `${at}`, tool_name: name, parameters: args })
        ).join(", ")
      }]<|END_ACTION|>`,
  },
  {
    ...envelope("internlm", "marked"),
    isPlural: false,
    closer: "<|action_end|>",
    write: ([call], print = clean) =>
      `<|action_start|><|plugin|>\n${print(parameters(call))}<|action_end|>`,
  },
  {
    ...envelope("llama 3", "whole"),
    write: (calls, print = clean) => calls.map((call) => print(parameters(call))).join("; "),
  },
  {
    ...envelope("llama 3, python_tag", "marked"),
    write: (calls, print = clean) =>
      `<|python_tag|>${calls.map((call) => print(parameters(call))).join("; ")}`,
  },
  {
    ...envelope("xlam", "whole"),
    write: (calls, print = clean) => `[${calls.map((call) => print(named(call))).join(", ")}]`,
  },
  {
    ...envelope("json fence", "whole"),
    write: (calls, print = clean) =>
      calls.map((call) => `\`\`\`json\n${print(named(call))}\n\`\`\``).join("\n"),
  },
  {
    ...holding("mistral 11", "json"),
    write: (calls, print = clean) =>
      calls.map(([name, args]) => `[TOOL_CALLS]${name}[ARGS]${print(args)}`).join(""),
  },
  {
    ...holding("deepseek", "json"),
    closer: "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    write: (calls, print = clean) =>
      `<｜tool▁calls▁begin｜>${
        calls.map(([name, args]) =>
          `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${print(args)}<｜tool▁call▁end｜>`
        ).join("")
      }<｜tool▁calls▁end｜>`,
  },
  {
    ...holding("kimi", "json"),
    closer: "<|tool_call_end|><|tool_calls_section_end|>",
    write: (calls, print = clean) =>
      `<|tool_calls_section_begin|>${
        calls.map(([name, args], at) =>
          `<|tool_call_begin|>functions.${name}:${at}<|tool_call_argument_begin|>${
            print(args)
          }<|tool_call_end|>`
        ).join("")
      }<|tool_calls_section_end|>`,
  },
  {
    ...holding("harmony", "json"),
    isPlural: false,
    closer: "<|call|>",
    write: ([call], print = clean) =>
      `<|channel|>analysis<|message|>I need it.<|end|><|start|>assistant<|channel|>commentary to=functions.${
        call?.[0]
      } <|constrain|>json<|message|>${print(call?.[1])}<|call|>`,
  },
  {
    ...holding("functionary", "json"),
    isBare: true,
    closer: "</function>",
    write: (calls, print = clean) =>
      calls.map(([name, args]) => `<function=${name}>${print(args)}</function>`).join(""),
  },
  {
    ...holding("qwen coder", "tags"),
    closer: "\n</tool_call>",
    write: (calls) =>
      calls.map(([name, args]) =>
        `<tool_call>\n<function=${name}>\n${
          eachOf(args, (key, value) =>
            `<parameter=${key}>\n${value.replace(/^\n|\n$/g, "")}\n</parameter>\n`)
        }</function>\n</tool_call>`
      ).join("\n"),
  },
  invoked("minimax-m2", "minimax:tool_call"),
  invoked("claude manner", "function_calls"),
  {
    ...holding("glm", "tags"),
    write: (calls) =>
      calls.map(([name, args]) =>
        `<tool_call>${name}\n${
          eachOf(
            args,
            (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`,
          )
        }</tool_call>`
      ).join("\n"),
  },
  {
    ...holding("gemma 4", "tags"),
    write: (calls) =>
      calls.map(([name, args]) =>
        `<|tool_call>call:${name}{${
          Object.entries(args).map(([key, value]) =>
            `${key}:${typeof value === "string" ? `<|"|>${value}<|"|>` : value}`
          ).join(",")
        }}<tool_call|>`
      ).join(""),
  },
  pythonic("llama 4", "[", ", ", "]", "whole"),
  pythonic("lfm2", "<|tool_call_start|>[", ", ", "]<|tool_call_end|>", "marked"),
  pythonic("olmo", "<function_calls>\n", "\n", "\n</function_calls>", "marked"),
  pythonic("gemma tool_code", "```tool_code\n", "\n", "\n```", "marked"),
];

type Shape = Omit<Family, "write" | "closer">;

function envelope(name: string, form: Family["form"]): Shape {
  return { name, holds: "envelope", form, isPlural: true };
}

function holding(name: string, holds: Family["holds"]): Shape {
  return { name, holds, form: "marked", isPlural: true };
}

function tagged(name: string, opener: string, closer: string): Family {
  return {
    ...envelope(name, "marked"),
    closer,
    write: (calls, print = clean) =>
      calls.map((call) => `${opener}${print(named(call))}${closer}`).join("\n"),
  };
}

function listed(name: string, opener: string, closer: string): Family {
  return {
    ...envelope(name, "marked"),
    ...(closer === "" ? {} : { closer }),
    write: (calls, print = clean) =>
      `${opener}[${calls.map((call) => print(named(call))).join(", ")}]${closer}`,
  };
}

function invoked(name: string, block: string): Family {
  return {
    ...holding(name, "tags"),
    closer: `\n</${block}>`,
    write: (calls) =>
      `<${block}>\n${
        calls.map(([tool, args]) =>
          `<invoke name="${tool}">\n${
            eachOf(args, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)
          }</invoke>`
        ).join("\n")
      }\n</${block}>`,
  };
}

function pythonic(
  name: string,
  ...[opener, between, closer, form]: [string, string, string, Family["form"]]
): Family {
  return {
    ...holding(name, "python"),
    form,
    write: (calls) =>
      opener +
      calls.map(([tool, args]) =>
        `${tool}(${
          Object.entries(args).map(([key, value]) => `${key}=${python(value)}`).join(", ")
        })`
      ).join(between) + closer,
  };
}

/** A text of several lines stands on lines of its own. */
function eachOf(args: Call[1], write: (key: string, value: string) => string): string {
  return Object.entries(args).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return write(key, text.includes("\n") ? `\n${text}\n` : text);
  }).join("");
}

function named([name, args]: Call): Record<string, unknown> {
  return { name, arguments: args };
}

function parameters(call: Call | undefined): Record<string, unknown> {
  return { name: call?.[0], parameters: call?.[1] };
}

/** A value as a Python literal. */
export function python(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([key, one]) => `${python(key)}: ${python(one)}`);
    return `{${members.join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  const escaped = value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `'${escaped}'`;
}
