import { useState } from 'react';
import { type ProfileDraft, profileDraftOf, readProfileDraft } from '@/components/client-settings/profile-draft';
import { ProfileFields } from '@/components/client-settings/profile-fields';
import { missingCapabilities } from '@/components/client-settings/profile-words';
import { hasSecrets } from '@/components/form/secrets';
import { Button } from '@/components/ui/button';
import { ErrorNote, Sentence, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { borrowedTitle } from '@/features/host-titles';
import { useClient } from '@/lib/hooks/client';
import { useDeclared, useProfile, useSentCapabilities } from '@/lib/hooks/client-profile';
import { useReadOnly } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { tryParseJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import {
  type CapabilityPath,
  capabilityName,
  isDeclared,
  isOptional,
  matters,
  switchesOf,
  worthTrying,
} from '@/lib/wire/capability-switches';
import type { ClientCapabilities } from '@/lib/wire/client-capabilities';
import {
  type ClientProfile,
  declaredBy,
  introducesAnew,
  isSameProfile,
  needsHandshake,
} from '@/lib/wire/client-profile';
import { canSend, type Failure } from '@/lib/wire/lifecycle';
import { isLoopbackName } from '@/lib/wire/url';
import { Fact, FactList } from '../shared/fact-list';
import { RootsEditor } from '../shared/roots-editor';
import { TrialResult } from './trial-result';
import { useTrials } from './use-trials';

/** How mcp-inspect presents itself to the server, and what depends on it. */
export function ClientSettingsPanel({ log }: { readonly log: Log }) {
  const readOnly = useReadOnly(log);
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      {readOnly ? <InEffect log={log} className="p-3" /> : <Editor log={log} />}
    </div>
  );
}

/** The facts about the client that the server has learned. */
function InEffect({ log, className }: { readonly log: Log; readonly className?: string }) {
  const profile = useProfile(log);
  const protocol = useLogState(log, ({ connection }) => connection.start?.protocol);
  const { info, meta, timeouts, as } = profile;
  const declared = useDeclared(log);
  const names = declared && switchesOf(declared).filter((path) => isOptional(declared, path));
  const off = missingCapabilities(profile);
  return (
    <div className={className}>
      <FactList title="In effect">
        <Fact name="connected as">{as !== undefined && visibleText(borrowedTitle(as))}</Fact>
        <Fact name="declares">
          {names ? (
            <UntrustedText text={names.map(capabilityName).join(', ') || 'nothing'} limit={1000} />
          ) : protocol === 'none' ? (
            'nothing: there was no handshake'
          ) : (
            'nothing yet'
          )}
        </Fact>
        <Fact name="switched off">{off.length > 0 && visibleText(off.join(', '))}</Fact>
        <Fact name="client info">{info && <UntrustedText text={Object.values(info).join(' · ')} limit={600} />}</Fact>
        <Fact name="extra _meta">
          {meta && <UntrustedText text={JSON.stringify(meta)} limit={600} className="font-mono text-wire" />}
        </Fact>
        <Fact name="timeouts">
          {[
            timeouts?.startMs !== undefined && `${timeouts.startMs / 1000} s for the handshake`,
            timeouts?.silenceMs !== undefined && `${timeouts.silenceMs / 1000} s without response or progress`,
            timeouts?.totalMs !== undefined && `${timeouts.totalMs / 1000} s in total`,
          ]
            .filter(Boolean)
            .join(', ')}
        </Fact>
      </FactList>
    </div>
  );
}

/** Changes them. */
function Editor({ log }: { readonly log: Log }) {
  const profile = useProfile(log);
  const { draft, setDraft, reset } = useSettingsDraft(log, profile);
  const trials = useTrials(log, profile);
  const open = useLogState(log, ({ connection }) => connection.state === 'open');
  const version = useLogState(log, ({ connection }) => connection.version);
  const url = useLogState(log, ({ connection: { start } }) => (start && 'url' in start ? start.url : undefined));
  const sent = useSentCapabilities(log) ?? ((all: ClientCapabilities) => all);
  const declared = declaredBy(profile);
  const read = readProfileDraft(draft);
  const isApplied = 'profile' in read && isSameProfile(read.profile, profile);
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto p-3 *:max-w-[760px] *:not-last:mb-4">
        <InEffect log={log} />
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 basis-72 text-muted">
            {isApplied
              ? 'To see what changes, mcp-inspect connects once more with the capability switched.'
              : 'To see what a capability changes, apply or undo your changes first.'}
          </p>
          {trials.running ? (
            <Button size="small" onClick={trials.cancel}>
              Stop
            </Button>
          ) : (
            <Button
              size="small"
              disabled={!open || !isApplied}
              onClick={() => trials.start(worthTrying(declared, sent))}
            >
              Try each
            </Button>
          )}
        </div>
        <ProfileFields
          draft={draft}
          onDraft={setDraft}
          isLocal={url === undefined || (URL.canParse(url) && isLoopbackName(new URL(url).hostname))}
          about={(path) => ({
            action: matters(declared, path, sent) ? (
              <TrialButton
                path={path}
                on={isDeclared(declared, path)}
                disabled={!open || trials.running || !isApplied}
                onPress={() => trials.start([path])}
              />
            ) : (
              <span className="text-small text-muted">Not in {version}</span>
            ),
            below: <TrialResult on={isDeclared(declared, path)} trial={trials.results.get(capabilityName(path))} />,
          })}
        />
        <section aria-label="Roots" className="flex min-w-0 flex-col gap-2">
          <h3 className="text-muted">Roots</h3>
          <RootsEditor log={log} />
        </section>
      </div>
      <ApplyBar log={log} profile={profile} draft={draft} onReset={reset} />
    </>
  );
}

/** Holds what was typed. It survives a reload and a restart, but a secret in the `_meta` is kept in memory only. */
function useSettingsDraft(log: Log, profile: ClientProfile) {
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const [kept, keep] = useDraft<ProfileDraft | null>(`client-settings ${server}`, null);
  const [typed, setTyped] = useState<ProfileDraft>();
  const inEffect = profileDraftOf(profile);
  return {
    draft: typed ?? kept ?? inEffect,
    setDraft: (draft: ProfileDraft) => {
      setTyped(draft);
      const isSecret = hasSecrets(draft.meta, tryParseJson(draft.meta).ok);
      keep(isSecret ? { ...draft, meta: inEffect.meta } : draft);
    },
    reset: () => {
      setTyped(undefined);
      keep(null);
    },
  };
}

function TrialButton({
  path,
  on,
  disabled,
  onPress,
}: {
  readonly path: CapabilityPath;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onPress: () => void;
}) {
  const words = on ? 'Try without' : 'Try with';
  return (
    <Button
      size="small"
      variant="ghost"
      className="text-muted!"
      disabled={disabled}
      aria-label={`${words} ${capabilityName(path)}`}
      onClick={onPress}
    >
      {words}
    </Button>
  );
}

/** Says when a change takes effect, and makes it. */
function ApplyBar({
  log,
  profile,
  draft,
  onReset,
}: {
  readonly log: Log;
  readonly profile: ClientProfile;
  readonly draft: ProfileDraft;
  /** Drops what was typed. */
  readonly onReset: () => void;
}) {
  const client = useClient();
  const { navigate } = useLocation();
  const era = useLogState(log, ({ connection }) => connection.era);
  const live = useLogState(log, ({ connection }) => canSend(connection.state));
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const read = readProfileDraft(draft);
  const next = 'problem' in read ? undefined : read.profile;
  const changed = next !== undefined && !isSameProfile(profile, next);
  const restarts = next !== undefined && (!live || needsHandshake(profile, next, era));
  const run = async (work: () => Promise<void>) => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error as Failure);
    } finally {
      setPending(false);
    }
  };
  const apply = () =>
    run(async () => {
      await client.send({ type: 'set-profile', connection: log.connection, profile: next! });
      onReset();
    });
  const restart = () =>
    run(async () => {
      const made = await client.send({ type: 'restart', connection: log.connection, profile: next! });
      onReset();
      navigate({ connection: made.connection, frame: undefined });
    });
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line px-3 py-2">
      {failure && <ErrorNote failure={failure} />}
      <div className="flex max-w-[760px] flex-wrap items-center gap-2">
        <p role="status" className="min-w-0 flex-1 basis-60 break-words">
          {'problem' in read ? (
            <span className="text-error">
              <Sentence text={read.problem} />
            </span>
          ) : (
            <span className="text-muted">
              {effectOf(changed, restarts, live, next ? introducesAnew(profile, next) : false)}
            </span>
          )}
        </p>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {pending && <Spinner label="Working" />}
          <Button disabled={!changed && next !== undefined} onClick={onReset}>
            Undo changes
          </Button>
          {restarts ? (
            <Button variant="primary" disabled={!changed || pending} onClick={() => void restart()}>
              Restart with these settings
            </Button>
          ) : (
            <Button variant="primary" disabled={!changed || pending} onClick={() => void apply()}>
              Apply
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Returns when a change takes effect. */
function effectOf(changed: boolean, restarts: boolean, live: boolean, isNew: boolean): string {
  if (!changed) return 'These settings are in effect. Roots change at once.';
  if (!live) return 'The connection has ended, so this needs a restart.';
  if (restarts) return 'The server learns this in the handshake only, so it needs a restart.';
  return isNew
    ? 'Takes effect with the next request. The lists are then read again.'
    : 'Takes effect with the next request, without a restart.';
}
