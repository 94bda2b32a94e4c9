/** Which programs run what they are given, and which options of ordinary programs run programs or write files. */

/** Options and words of one program that only a rule that spells them out covers. */
export type OptionHazards = {
  /** Long options, with their dashes, blank between. */
  long?: string;
  /** Letters of short options. */
  short?: string;
  /** Options of one dash and a name, as find and go have them. */
  single?: readonly string[];
  /** Sub-commands. */
  commands?: readonly string[];
  /** The only sub-commands that a wildcard may cover anything of. */
  onlyCommands?: readonly string[];
  /** Any word of this form. */
  words?: readonly RegExp[];
  /** More arguments that are no options than this write. */
  positionalsMax?: number;
  /** Whether the first word may be options without a dash (tar). */
  oldStyle?: boolean;
};

/** Programs that run whatever they are given, a rule's wildcard notwithstanding. */
export const INTERPRETERS: readonly RegExp[] = [
  /^python[\d.]*$/,
  /^(pypy|perl|ruby|lua|php|tclsh|wish|guile|racket|node|nodejs|ghc|java)[\d.]*$/,
  /^(luajit|bun|irb|pry|Rscript|R|julia|runghc|ghci|scala|kotlin|groovy|jshell|elixir|iex|erl)$/,
  /^(osascript|powershell|pwsh|expect|m4|dc|bc|sqlite3?|psql|mysql|mariadb|mongo|mongosh)$/,
  /^(vi|vim|nvim|view|ex|ed|emacs|emacsclient|nano|pico|micro|code|lldb|gdb|ftp|sftp|telnet)$/,
  /^(nc|ncat|netcat|socat|screen|tmux|script|at|batch|crontab|su|sg|runuser|mosh|docker-compose)$/,
  /^(npx|bunx|pnpx|uvx|pipx|ts-node|tsx|xterm|open|xdg-open|start|entr|nodemon|watchexec|hyperfine|nix-shell|ipython\d?)$/,
  /^(eval|exec|trap|source|\.|export|declare|typeset|local|readonly|alias|unalias|let|unset)$/,
  /^(hash|enable|shopt|set|read|mapfile|readarray|getopts|bind|complete|compgen|ulimit|umask)$/,
];

const PACKAGE_SCRIPTS = ["exec", "x", "explore", "init", "create", "dlx", "config", "set", "edit"];

/** Tools of environments, whose sub-commands run what follows. */
const RUNNER: OptionHazards = { commands: ["run", "exec", "shell", "develop", "x"] };

/** Ordinary programs with options that run programs, write files, or read their options from elsewhere. */
export const OPTIONS: ReadonlyMap<string, OptionHazards> = new Map(
  Object.entries<OptionHazards>({
    "7z": { words: [/^-o/] },
    "[": { single: ["-v", "-R"] },
    ack: { long: "--pager --output --ackrc" },
    ag: { long: "--pager" },
    apt: { short: "o", long: "--option --config-file", commands: ["edit-sources"] },
    "apt-get": { short: "oc", long: "--option --config-file" },
    asdf: RUNNER,
    bat: { long: "--pager" },
    batcat: { long: "--pager" },
    brew: { commands: ["ruby", "irb", "sh", "edit"] },
    bundle: RUNNER,
    cargo: {
      long: "--config --target-dir --manifest-path",
      short: "ZC",
      commands: ["run", "r", "install"],
      words: [/^\+/],
    },
    clang: { short: "oB", single: ["-wrapper"], words: [/^-(fplugin|specs|Xclang)/] },
    cc: { short: "oB", single: ["-wrapper"], words: [/^-(fplugin|specs)/] },
    gcc: { short: "oB", single: ["-wrapper"], words: [/^-(fplugin|specs)/] },
    "g++": { short: "oB", single: ["-wrapper"], words: [/^-(fplugin|specs)/] },
    conda: RUNNER,
    cmake: { short: "PE", long: "--build" },
    cpio: { short: "FOI", long: "--rsh-command --file" },
    csplit: { short: "f", long: "--prefix" },
    curl: {
      long:
        "--output --output-dir --remote-name --remote-name-all --remote-header-name --config --cookie-jar --dump-header --trace --trace-ascii --libcurl --stderr --etag-save --hsts --alt-svc --engine --upload-file --create-dirs",
      short: "oOJKcDT",
    },
    date: { short: "s", long: "--set" },
    dd: { words: [/^of=/] },
    deno: {
      onlyCommands: "bench check doc fmt help info lint outdated test types".split(" "),
      long: "--preload --import --require --eval",
    },
    diff3: { long: "--diff-program" },
    direnv: RUNNER,
    docker: {
      commands: "run exec cp build buildx compose commit plugin".split(" "),
      // It names programs that keep its passwords.
      long: "--config",
    },
    podman: { commands: "run exec cp build compose commit unshare".split(" ") },
    // A kubeconfig names programs that sign in.
    kubectl: { commands: "exec cp run debug edit plugin".split(" "), long: "--kubeconfig" },
    fd: { short: "xX", long: "--exec --exec-batch" },
    fdfind: { short: "xX", long: "--exec --exec-batch" },
    file: { short: "mCf", long: "--compile --magic-file" },
    find: {
      single: [
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-delete",
        "-fprint",
        "-fprint0",
        "-fprintf",
        "-fls",
        "-files0-from",
      ],
      words: [/^(;|\+)$/],
    },
    flatpak: RUNNER,
    fzf: { long: "--preview --bind --execute --history" },
    gh: { commands: "alias extension api auth config codespace ssh-key secret".split(" ") },
    go: {
      commands: "run generate tool get install env work".split(" "),
      single: [
        "-exec",
        "-toolexec",
        "-vettool",
        "-overlay",
        "-modfile",
        "-o",
        "-ldflags",
        "-gcflags",
        "-asmflags",
        "-C",
        "-w",
        "-u",
        "-coverprofile",
        "-cpuprofile",
        "-memprofile",
        "-trace",
      ],
      words: [/^--?(exec|toolexec|vettool|overlay|modfile|o|ldflags)=/],
    },
    hatch: RUNNER,
    hg: { long: "--config --cwd", commands: ["serve", "debugshell"] },
    iconv: { short: "o", long: "--output" },
    ip: { commands: ["netns", "vrf"], single: ["-batch", "-b"], long: "--batch" },
    info: { short: "o", long: "--output --dribble" },
    less: {
      short: "oOkPT",
      long: "--log-file --LOG-FILE --lesskey-file --lesskey-src --tag-file",
      words: [/^\+/],
    },
    make: {
      words: [/=/],
      short: "fCIEo",
      long: "--eval --file --makefile --directory --include-dir",
    },
    gmake: { words: [/=/], short: "fCIEo", long: "--eval --file --makefile --directory" },
    man: { short: "PHCM", long: "--pager --html --config-file --manpath" },
    mise: RUNNER,
    more: { words: [/^\+/] },
    nix: RUNNER,
    ninja: { short: "fC" },
    npm: {
      commands: PACKAGE_SCRIPTS,
      long: "--script-shell --prefix --globalconfig --userconfig",
      short: "C",
    },
    pnpm: { commands: PACKAGE_SCRIPTS, long: "--script-shell --dir", short: "C" },
    yarn: { commands: PACKAGE_SCRIPTS, long: "--cwd --use-yarnrc" },
    openssl: { single: ["-engine", "-out", "-provider", "-writerand", "-config"] },
    pdm: RUNNER,
    pipenv: RUNNER,
    poetry: RUNNER,
    patch: { short: "od", long: "--output --directory" },
    pip: { commands: ["config", "install", "download", "wheel"], long: "--python --log" },
    pip3: { commands: ["config", "install", "download", "wheel"], long: "--python --log" },
    uv: { commands: ["run", "tool", "x"] },
    printf: { words: [/^-v/] },
    pytest: { short: "pc", long: "--rootdir --override-ini --confcutdir" },
    rye: RUNNER,
    rg: { long: "--pre --hostname-bin" },
    rsync: { short: "ef", long: "--rsh --rsync-path --log-file --write-batch" },
    scp: { short: "SoF" },
    sdiff: { short: "o", long: "--output --diff-program" },
    shuf: { short: "o", long: "--output" },
    sort: { short: "oT", long: "--output --compress-program --temporary-directory" },
    split: { long: "--filter" },
    strip: { short: "o" },
    svn: { long: "--config-option --config-dir --editor-cmd --diff-cmd --diff3-cmd" },
    tar: {
      short: "IFP",
      long:
        "--checkpoint-action --to-command --use-compress-program --rsh-command --info-script --new-volume-script --absolute-names --index-file",
      oldStyle: true,
      // "host:file" is read and written through rsh.
      words: [/^[^-/:][^/:]*:/],
    },
    tcpdump: { short: "zwW" },
    tee: { words: [/^[^-]/] },
    test: { single: ["-v", "-R"] },
    tree: { short: "o" },
    uniq: { positionalsMax: 1 },
    unzip: { short: "d" },
    wget: {
      long:
        "--output-document --output-file --append-output --execute --config --use-askpass --directory-prefix --input-file --post-file --body-file --save-cookies --rejected-log",
      short: "OoaePi",
    },
    xxd: { positionalsMax: 1 },
    yq: { short: "i", long: "--inplace --split-exp" },
    zip: { single: ["-T", "-TT"], long: "--unzip-command --test" },
  }),
);
