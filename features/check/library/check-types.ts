import type { Answers, ClientOptions, InspectOptions, Problem, Protocol, Severity } from '@/proxy/library/api';
import type { JsonObject } from '@/proxy/library/mcp-types';

/** The most that a server may take: `{ tokens: 5000, tools: 40, p95: '500ms', result: '64KB' }`. */
export type Budget = Readonly<Partial<Record<'tokens' | 'tools' | 'p95' | 'result', number | string>>>;

/** How to check a server. */
export interface CheckOptions extends ClientOptions {
  /** Default: `auto`, every era that the server speaks. */
  readonly protocol?: Protocol;
  /** Tools to call: none (default), those with `readOnlyHint: true`, or all. */
  readonly allow?: 'none' | 'read-only' | 'all';
  /** The least severity that fails the check. Default: that of the settings, else `error`. */
  readonly failOn?: Severity;
  /**
   * Decisions about rules: a file, or what it would hold. Default: `mcp-inspect.config.json` in the working directory,
   * if there is one. `false`: none.
   */
  readonly settings?:
    | string
    | false
    | {
        readonly rules?: Readonly<Record<string, Severity | 'off'>>;
        readonly failOn?: Severity;
        readonly budget?: Budget;
        /** Hosts whose limits count, by the ids in docs/hosts/README.md. Default: all. */
        readonly hosts?: readonly string[];
        readonly exceptions?: readonly {
          readonly rule: string;
          /** The server of a config that it is about. Absent: all. */
          readonly server?: string;
          readonly owner: string;
          /** The last day, such as `2027-01-31`. */
          readonly until: string;
          readonly reason?: string;
        }[];
      };
  /** The most that the server may take. Comes before that of the settings, name by name. */
  readonly budget?: Budget;
  /** Hosts for which it is judged, by the ids in docs/hosts/README.md, or `all`. */
  readonly for?: string | readonly string[];
  /** A pins file, whose calls are played, too. */
  readonly pins?: string;
  /** Records each session in a new file: NAME.mcpr.jsonl, NAME-2.mcpr.jsonl … */
  readonly record?: string;
  /** An earlier report, or its path, whose problems are accepted. */
  readonly baseline?: CheckReport | string;
  /** Most milliseconds for the server. Default: 120,000, with calls or pins 600,000. */
  readonly timeoutMs?: number;
  /** Most milliseconds for one step. Default: 10,000. */
  readonly requestTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Allows URLs with link-local addresses and cloud metadata. */
  readonly allowLinkLocal?: boolean;
}

/** The report of a check, as `mcp-inspect check --json` prints it. */
export interface CheckReport {
  readonly summary: {
    /** True if no problem reaches `failOn`. */
    readonly passed: boolean;
    readonly failOn: Severity;
    readonly errors: number;
    readonly warnings: number;
    readonly infos: number;
    /** Problems that the baseline accepts. */
    readonly accepted: number;
    readonly sources: readonly CheckSource[];
  };
  readonly problems: readonly Problem[];
}

/** A session of a check, or a recording. */
export interface CheckSource {
  readonly name: string;
  readonly file?: string;
  readonly era?: string;
  readonly version?: string;
  readonly transport?: string;
  readonly server?: string;
  readonly tools?: number;
  readonly resources?: number;
  readonly templates?: number;
  readonly prompts?: number;
  /** Estimated tokens of all tool definitions. */
  readonly tokens?: number;
  readonly frames?: number;
  /** The hosts of `for`. Their obstacles are problems whose rule begins with `host-`. */
  readonly hosts?: readonly HostReport[];
  readonly ms: number;
  readonly steps: readonly { readonly name: string; readonly ms: number; readonly skipped?: string }[];
  readonly notes: readonly string[];
  /** Indexes of its problems in `problems`. */
  readonly problems: readonly number[];
}

/** Whether a server works in a host, as far as a session shows it. */
export interface HostReport {
  readonly host: string;
  readonly title: string;
  /** `out-of-reach`: the host reaches public addresses only. */
  readonly state: 'fails' | 'loses' | 'no-obstacle' | 'unknown' | 'out-of-reach';
  readonly obstacles: number;
  /** Sentences about what the session does not show, and questions that no session answers. */
  readonly untried: readonly string[];
  readonly questions: readonly string[];
}

/** How answers are compared, and how to connect. A recording is played in its version. */
export interface CompareOptions
  extends ClientOptions,
    Answers,
    Pick<InspectOptions, 'timeoutMs' | 'signal' | 'allowLinkLocal'> {
  readonly protocol?: Protocol;
  /** `semantic` (default): without times, ids and the like. */
  readonly compare?: 'structure' | 'semantic' | 'strict';
  /** Ignores these: `order`, `version`, `hash` …, or places such as `$..etag`. */
  readonly ignore?: readonly string[];
}

/** How to test a server. */
export interface TestOptions extends CompareOptions {
  /** Pins files, recordings, and folders of both. Default: `mcp-inspect.pins.json`. */
  readonly files?: string | readonly string[];
  /** Accepts what differs, and writes the files. */
  readonly update?: boolean;
  /** Values of what is redacted in recordings, by the digits of `[redacted:…:DIGITS]`. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** The outcome of all files. */
export interface TestReport {
  readonly passed: boolean;
  readonly files: readonly TestedFile[];
}

/** The outcome of a file, with what `mcp-inspect test --json` prints. */
export interface TestedFile {
  readonly file: string;
  readonly passed: boolean;
  readonly calls: readonly ComparedCall[];
}

/** A call, and how its answers differ. */
export interface ComparedCall {
  /** Name of a pin. */
  readonly name?: string;
  /** Method of a pin. */
  readonly method?: string;
  /** A call of a recording: its method, and the tool or prompt. */
  readonly call?: string;
  /** `new`: no answer was accepted yet. */
  readonly verdict: 'same' | 'changed' | 'broken' | 'new' | 'skipped' | 'different' | 'only-before' | 'only-after';
  readonly why?: string;
  readonly ends?: readonly [string, string];
  readonly differences?: readonly JsonObject[];
}

/** How to compare two sides. */
export interface DiffOptions extends CompareOptions {
  /** Makes `passed` false: `change` (default), `breaking`, `tokens+10%`. */
  readonly failOn?: string | readonly string[];
  /** A pins file, whose calls are played on two servers. Default: none. */
  readonly pins?: string;
}

/** The differences, as `mcp-inspect diff --json` prints them. */
export interface DiffReport {
  readonly passed: boolean;
  /** Why it did not pass, a sentence each. */
  readonly failures: readonly string[];
  readonly equal: boolean;
  /** Changes in what the server offers. */
  readonly catalogue: readonly {
    readonly about: string;
    /** '' for the server. */
    readonly name: string;
    readonly change: 'added' | 'removed' | 'changed';
    /** The rule by which the change breaks clients. */
    readonly breaking?: string;
    readonly sentence: string;
  }[];
  /** Estimated tokens of all tools. null: unknown. */
  readonly tokens: { readonly before: number | null; readonly after: number | null };
  readonly calls: readonly ComparedCall[];
}
