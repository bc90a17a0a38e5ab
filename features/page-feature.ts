import type { ComponentType, ReactNode } from 'react';
import type { Panel } from '@/components/panels/panel';
import type { BrowseGroup } from '@/components/panels/shared/browse-group';
import type { CatalogueItem } from '@/components/panels/shared/entry-list';
import type { IconName } from '@/components/ui/icon';
import type { MenuItem } from '@/components/ui/menu-list';
import type { JsonObject } from '@/lib/json/value';
import type { Snippet } from '@/lib/sharing/snippets/request-snippets';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import type { ListEntry, LogState, Question } from '@/lib/store/state/state';
import type { TapAction } from '@/lib/wire/api';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { RecordingFacts } from '@/lib/wire/recording-facts';

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

/** The actions of a tab of Recordings on connections. */
export interface RecordingsTabProps {
  readonly onOpened: (connection: string) => void;
  readonly onCompareTwo: (one: string, other: string) => void;
}

/** A tab of Recordings. It is offered if the part of the page's server names it. */
export interface RecordingsTab {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly Component: ComponentType<RecordingsTabProps>;
}

/** A recording that is read in parts, and waits for a person to read on. */
export interface ReadOnProps {
  readonly connection: string;
  readonly waiting: NonNullable<RecordingFacts['waiting']>;
  /** Rows that are read. */
  readonly rows: number;
}

/** A kind of entries in Browse, or a view of its tools. */
export interface BrowseView extends Omit<Panel, 'place' | 'Component'> {
  /** For a view of tools: returns the key of the first one that has it. */
  readonly firstTool?: (state: LogState) => string | undefined;
}

/** The entries of a kind in Browse. */
export interface BrowseEntries {
  /** Id of the kind. */
  readonly panel: string;
  /** Returns them. `item`: key of the wanted one. */
  readonly useGroup: (log: Log, item: string | undefined) => BrowseGroup;
}

/** Additions of a feature to the page. Its components are loaded when they are shown. */
export interface PageFeature {
  readonly panels?: readonly Panel[];
  readonly browse?: readonly BrowseView[];
  readonly pages?: readonly FeaturePage[];
  readonly banner?: Banner;
  /** Reads the other rows of a recording that is read in parts. */
  readonly ReadOn?: ComponentType<ReadOnProps>;
  /** Texts of a call that its menu offers to copy. */
  readonly callSnippets?: (call: LoggedCall) => readonly Snippet[];
}

/** A sampling request, and the reply to it that somebody writes. */
export interface ReplyProps {
  readonly log: Log;
  readonly question: Question;
  /** JSON text of the person's copy of the params; undefined if those of the server are used. */
  readonly copy: string | undefined;
  /** The question can be answered. */
  readonly waits: boolean;
  /** The text of the reply so far, and the one that nobody has changed. */
  readonly reply: string;
  readonly untouched: string;
  /** Puts a text in the place of the reply. */
  readonly onFill: (text: string) => void;
}

/** Additions of a feature to the questions of servers. */
export interface QuestionFeature {
  /** An entry of the Inbox: its key in the address. */
  readonly key: string;
  readonly title: string;
  /** Returns what its entry says of a connection; undefined where it has none. */
  readonly useEntry: (connection: string) => string | undefined;
  readonly Entry: ComponentType<{ readonly log: Log }>;
  /** Writes the reply to a sampling request. */
  readonly Reply: ComponentType<ReplyProps>;
}

/** A button below a finished answer of a model. */
export interface AnswerButtonProps {
  /** The log of the chat. */
  readonly log: Log;
  /** Id of the answer. */
  readonly turn: string;
  readonly className?: string;
}

/** A change of a host’s config, which puts a tap around a server or removes it. */
export interface TapChangeProps {
  /** Id of a found server. */
  readonly id: string;
  readonly name: string;
  /** Title of the host. */
  readonly host: string;
  readonly action: TapAction;
  /** The server is tapped already, by files that are gone. */
  readonly isRepair: boolean;
  readonly onWritten: () => void;
  readonly onClose: () => void;
}

/** A call, and the place of what is done with it: its result in a panel, or the detail of a message. */
export interface CallActionProps {
  readonly log: Log;
  /** seq of the request; undefined for frames that are not part of a call. */
  readonly request: number | undefined;
  readonly place: 'result' | 'detail';
}

/** An action on a call of ours. */
export interface CallAction {
  readonly label: string;
  readonly icon: IconName;
  /** Returns a function that does it; undefined where it can't be done. */
  readonly useRun: (call: CallActionProps) => (() => void) | undefined;
  /** Says what it did to this call, or why it did nothing. */
  readonly Note: ComponentType<CallActionProps>;
}

/** An action on a message of the log. */
export interface MessageAction {
  /** Returns its label. `which` is “messages like this”, or also names the message. */
  readonly label: (which: string) => string;
  /**
   * Returns a function that finds what to do with a message: undefined if nothing. `request`: the row of its request,
   * for a response.
   */
  readonly useRun: (log: Log) => (row: Row, request: Row | undefined) => (() => void) | undefined;
}

/** A log, for a button above it. */
export interface LogActionProps {
  readonly log: Log;
}

/** The connections, for a line above all panels. */
export interface BannerProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  /** The panel in view; undefined while a page takes its place. */
  readonly panel: string | undefined;
}

/** A line above all panels. */
export interface Banner {
  /** The start of a sentence: `The note about held messages`. */
  readonly name: string;
  readonly Component: ComponentType<BannerProps>;
}

/** Tools as a client sees them, where that is not what the server says. */
export interface ToolChanges {
  /** Shown above the list. */
  readonly note: ReactNode;
  /** Returns the badge of a changed tool. The same function until that changes. */
  readonly markOf: (entry: ListEntry) => CatalogueItem['mark'];
  /** Returns the server's name of a tool that the client names. */
  readonly serverName: (name: string) => string;
  /** Returns the other name of a renamed tool: the client's for the server's, and the other way round. */
  readonly keyOf: (item: string) => string;
  /** Returns the menu item of a tool, by the name that the client sees. */
  readonly itemOf: (name: string) => MenuItem | undefined;
  readonly dialogs: ReactNode;
}

/** Returns how the client sees the tools, and lets a person change that. */
export type UseToolChanges = (log: Log) => ToolChanges;

/** A tool whose results are shown. */
export interface ResultViewProps {
  readonly log: Log;
  readonly tool: JsonObject;
  /** The server's name of the tool, which calls in the log have. */
  readonly calledAs: string;
}

/** A view of the results of a tool: a tab beside Result, which stays while calls are made. */
export interface ResultView {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  /** Marks tools in the list, with words such as “Has an app”. */
  readonly icon: IconName;
  readonly mark: string;
  readonly marks: (tool: JsonObject) => boolean;
  /** True for a tool whose results it shows. */
  readonly fits: (tool: JsonObject) => boolean;
  readonly Component: ComponentType<ResultViewProps>;
}

/** A server, for a fact about it in the bottom line. */
export interface HealthNoteProps {
  readonly log: Log;
}

/** A server, for a section of its view. */
export interface ServerSectionProps {
  readonly log: Log;
}

/** A tool, for notes above its schemas. */
export interface ToolNotesProps {
  readonly log: Log;
  /** Its name. */
  readonly tool: string;
}

/** A run, for the outcome of what a feature did after its save. */
export interface WatchPiecesProps {
  readonly log: Log;
}
