import type { JsonObject } from '@/lib/json/value';

/** A file that describes a server to directories. */
export interface DirectoryFile {
  /** `bundle`: the manifest of an MCP bundle. */
  readonly kind: 'server.json' | 'bundle';
  readonly value: JsonObject;
  /** Returns the first bytes of a file in the bundle, a character each. undefined: it has no such file. */
  start(path: string): string | undefined;
}
