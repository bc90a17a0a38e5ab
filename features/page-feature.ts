import type { ComponentType } from 'react';
import type { Panel } from '@/components/panels/panel';
import type { Snippet } from '@/lib/sharing/snippets/request-snippets';

/** A page in place of panel and log. It needs the proxy. */
export interface FeaturePage {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  /** The key that opens it after `g`. */
  readonly key: string;
  /** The panel beside which it is a tab. */
  readonly tabOf: string;
  readonly Component: ComponentType;
}

/** A call of a tool in the log. */
export interface LoggedCall {
  /** Name of the server. */
  readonly server: string;
  readonly tool: string;
  /** JSON text. */
  readonly args: string;
}

/** Additions of a feature to the page. Its components are loaded when they are shown. */
export interface PageFeature {
  readonly panels?: readonly Panel[];
  readonly pages?: readonly FeaturePage[];
  /** Texts of a call that its menu offers to copy. */
  readonly callSnippets?: (call: LoggedCall) => readonly Snippet[];
}
