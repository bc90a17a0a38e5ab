import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { sharedByLog, useLogState } from '@/lib/hooks/log';
import { useChangeSettings, useSettings } from '@/lib/hooks/settings';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { serverKey } from '@/lib/wire/server-key';

/** A call that waits for the user's consent. */
interface WaitingCall {
  /** Tools that say that they are destructive. */
  readonly tools: readonly string[];
  /** Tools that are not listed. */
  readonly unlisted: readonly string[];
  readonly asked: CallToConfirm;
  readonly call: () => void;
}

/** The arguments of a call, for the person to decide. */
export interface CallToConfirm {
  /** The arguments as JSON text. */
  readonly args?: string;
  /** Resolves to false if there is nothing to ask yet, because the arguments are invalid. */
  readonly check?: () => Promise<boolean>;
}

/** Longest name of a tool on a button, in characters. */
const NAME_CHARS = 60;

/** The waiting call of each log. The dialog is far from the buttons that call tools. */
const WAITING = sharedByLog<WaitingCall | undefined>(undefined);

/** Returns true if a tool says that it is destructive. */
export function isDestructive(tool: JsonObject): boolean {
  const annotations = own(tool, 'annotations');
  return isObject(annotations) && own(annotations, 'destructiveHint') === true;
}

/**
 * Returns a function that calls a tool: at once, or after the user has agreed if the tool says that it is destructive.
 * `tool` is the tool as listed, if it is.
 */
export function useConsentedCall(
  log: Log,
): (tool: JsonObject | undefined, call: () => void, asked?: CallToConfirm) => void {
  const consented = useConsentedCalls(log);
  return (tool, call, asked) => consented(tool ? [tool] : [], call, [], asked);
}

/**
 * Returns a function that calls several tools like that of {@link useConsentedCall}. It also asks about those that are
 * not listed, since nobody knows what they do.
 */
export function useConsentedCalls(
  log: Log,
): (tools: readonly JsonObject[], call: () => void, unlisted?: readonly string[], asked?: CallToConfirm) => void {
  const { confirmDestructive, unconfirmedServers } = useSettings();
  const start = useLogState(log, (state) => state.connection.start);
  return (tools, call, unlisted = [], asked = {}) => {
    const trusted = start !== undefined && unconfirmedServers.includes(serverKey(start));
    const names = tools.filter(isDestructive).map((tool) => textOrJson(own(tool, 'name')));
    const asks = names.length + unlisted.length > 0 && confirmDestructive && !trusted;
    const ask = () => WAITING.set(log.whole, { tools: names, unlisted, asked, call });
    if (!asks) call();
    else if (asked.check) void asked.check().then((isReady) => isReady && ask());
    else ask();
  };
}

/** Asks about the destructive call that waits, if any. */
export function DestructiveCallDialog({ log }: { readonly log: Log }) {
  const waiting = WAITING.use(log);
  return waiting && <Question log={log} waiting={waiting} />;
}

function Question({ log, waiting }: { readonly log: Log; readonly waiting: WaitingCall }) {
  const { tools, unlisted, asked, call } = waiting;
  const { unconfirmedServers } = useSettings();
  const changeSettings = useChangeSettings();
  const start = useLogState(log, (state) => state.connection.start);
  const [always, setAlways] = useState(false);
  const close = () => WAITING.set(log, undefined);
  const one = tools.length === 1;
  const args = asked.args === undefined ? undefined : JsonSource.parse(asked.args);
  const title = tools.length > 0 ? `Call ${one ? 'a destructive tool' : 'destructive tools'}?` : 'Call unlisted tools?';
  const confirm = () => {
    if (always && start) changeSettings({ unconfirmedServers: [...unconfirmedServers, serverKey(start)] });
    close();
    call();
  };
  return (
    // No button has the focus at first: Enter or Space that was meant for a field must not call the tool.
    <Dialog title={title} width="narrow" isText onClose={close}>
      {tools.length > 0 && (
        <p className="mb-2 break-words">
          The server says that <Names of={tools} /> {one ? 'is' : 'are'} destructive.
        </p>
      )}
      {unlisted.length > 0 && (
        <p className="mb-2 break-words">
          Not listed, so maybe destructive: <Names of={unlisted} />
        </p>
      )}
      {args && (
        <section aria-label="Arguments" className="mb-2 max-h-60 overflow-auto border-l-2 border-line pl-2">
          <JsonTree json={args} />
        </section>
      )}
      {start && <Checkbox checked={always} onChange={setAlways} label="Don’t ask again for this server" />}
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={close}>Cancel</Button>
        <Button variant="danger" onClick={confirm} className="max-w-full">
          <span className="truncate">{one ? `Call ${visibleText(tools[0]!.slice(0, NAME_CHARS))}` : 'Call'}</span>
        </Button>
      </div>
    </Dialog>
  );
}

function Names({ of }: { readonly of: readonly string[] }) {
  const shown = of.map((name) => name || 'a tool without a name').join(', ');
  return <code className="font-mono text-wire">{visibleText(shown.slice(0, 200))}</code>;
}
