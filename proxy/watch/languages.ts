/** A language, and how to tell that a command starts a program in it. */
interface Language {
  /** Matches the name of a program that runs this language, without its folder and `.exe`. */
  readonly programs: RegExp;
  /** Endings of its source files, without the dot. */
  readonly endings: readonly string[];
  /** Files that mark the folder of a project. */
  readonly marks: readonly string[];
}

/** Known languages. Settings files count where a change of them changes the program. */
const LANGUAGES: readonly Language[] = [
  {
    programs: /^(?:node(?:js)?|tsx|ts-node(?:-esm)?|bun|bunx|deno|npx|npm|pnpm|pnpx|yarn|nodemon)$/,
    endings: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'wasm'],
    marks: ['package.json', 'deno.json', 'deno.jsonc', 'tsconfig.json'],
  },
  {
    programs: /^(?:python[\d.]*|py|pypy[\d.]*|uv|uvx|poetry|pdm|hatch|rye|pipx|fastmcp|mcp)$/,
    endings: ['py', 'pyi', 'pyx'],
    marks: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'uv.lock'],
  },
  { programs: /^go$/, endings: ['go'], marks: ['go.mod', 'go.work'] },
  { programs: /^(?:cargo|rustc)$/, endings: ['rs'], marks: ['Cargo.toml'] },
  {
    programs: /^(?:java|mvnw?|gradlew?|kotlin|jbang|sbt)$/,
    endings: ['java', 'kt', 'kts', 'scala', 'jar'],
    marks: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'build.sbt'],
  },
  { programs: /^dotnet$/, endings: ['cs', 'fs', 'vb', 'csproj'], marks: [] },
  { programs: /^(?:ruby|bundle|rake)$/, endings: ['rb'], marks: ['Gemfile'] },
  { programs: /^(?:php|composer)$/, endings: ['php'], marks: ['composer.json'] },
  { programs: /^(?:elixir|mix)$/, endings: ['ex', 'exs'], marks: ['mix.exs'] },
  { programs: /^swift$/, endings: ['swift'], marks: ['Package.swift'] },
  { programs: /^(?:zig|make)$/, endings: ['zig', 'c', 'h', 'cc', 'cpp', 'hpp'], marks: [] },
  { programs: /^(?:ba|da|z|fi)?sh$/, endings: ['sh', 'bash', 'zsh', 'fish'], marks: [] },
];

/** The sources that a command may run. */
export interface Sources {
  readonly endings: ReadonlySet<string>;
  readonly marks: readonly string[];
}

/** Returns the sources of the language that a program runs. A program without one may be made from any. */
export function sourcesOf(program: string): Sources {
  const name = program.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat)$/i, '');
  const language = LANGUAGES.find(({ programs }) => programs.test(name));
  const all = language ? [language] : LANGUAGES;
  return {
    endings: new Set(all.flatMap(({ endings }) => endings)),
    marks: all.flatMap(({ marks }) => marks),
  };
}
