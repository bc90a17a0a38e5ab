import { useMemo, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { type Request, useRequest } from '@/components/exchange/use-request';
import { Fact, FactList } from '@/components/panels/shared/fact-list';
import { Button } from '@/components/ui/button';
import { ErrorNote, Spinner, TextNotLoaded } from '@/components/ui/notices';
import { ResourceContents } from '@/components/untrusted/content-block';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { WireName } from '@/components/untrusted/wire-name';
import { type CheckedFile, checkFile } from '@/features/skills/lib/check-file';
import { parseSimpleYaml } from '@/features/skills/lib/simple-yaml';
import { fileKey, filePath, readSkill, type Skill } from '@/features/skills/lib/skill-entry';
import { useClient } from '@/lib/hooks/client';
import { useFrameBytes } from '@/lib/hooks/log';
import { isObject, own, textOrJson } from '@/lib/json/value';
import { PLACEHOLDER } from '@/lib/problems/rules/content';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { countOf, formatBytes } from '@/lib/wire/format';

const NONE: readonly number[] = [];

/** One skill: its entry, its frontmatter and its files. */
export function SkillDetail({ log, listed }: { readonly log: Log; readonly listed: Skill }) {
  const request = useRequest(log, 'skills/get', listed.uri);
  const skill = useNewestEntry(request, listed);
  const files = skill.files === 'dynamic' ? [skill.uri] : skill.files.map(({ uri }) => uri);
  const blocked = request.closed !== undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <header className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="font-medium">
            <WireName text={skill.name || '(no name)'} limit={200} />
          </h2>
          <UntrustedText text={skill.uri} limit={500} className="font-mono text-wire wrap-anywhere" />
        </div>
        {!request.readOnly && (
          <div className="flex flex-wrap gap-2">
            <Button
              disabled={blocked}
              title={request.closed}
              onClick={() => request.send(JSON.stringify({ uri: skill.uri }))}
            >
              Get entry
            </Button>
            <ReadAll log={log} request={request} files={files} />
          </div>
        )}
      </header>
      {request.failure && <ErrorNote failure={request.failure} />}
      {request.exchange?.status === 'error' && (
        <p className="text-error">
          × skills/get failed, see its <FrameLink seq={request.exchange.responseSeq!} label="response" />
        </p>
      )}
      <Problems sentences={skill.problems} />
      {skill.description !== '' && (
        <p className="max-w-[80ch]">
          <UntrustedText text={skill.description} limit={1100} />
        </p>
      )}
      <Frontmatter skill={skill} />
      <section aria-label="Files" className="flex min-w-0 flex-col">
        <h3 className="font-medium">Files</h3>
        {skill.files === 'dynamic' && (
          <p className="text-muted">This skill is generated, so the server publishes no sizes and digests.</p>
        )}
        <ul className="min-w-0">
          {files.map((uri) => (
            <FileRow key={uri} log={log} skill={skill} uri={uri} />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Returns the entry of the newest `skills/get`, or else that of the list. */
function useNewestEntry({ log, exchange }: Request, listed: Skill): Skill {
  const seq = exchange?.status === 'ok' ? exchange.responseSeq : undefined;
  const bytes = useFrameBytes(log, seq === undefined ? NONE : [seq]);
  return useMemo(() => {
    const result = seq === undefined || bytes !== 'here' ? undefined : messageSource(log, seq)?.member('result')?.value;
    return isObject(result) ? readSkill(own(result, 'skill')) : listed;
  }, [log, seq, bytes, listed]);
}

function Problems({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className="min-w-0 text-error">
      {sentences.slice(0, 20).map((sentence) => (
        <li key={sentence}>
          × <UntrustedText text={sentence} limit={400} />
        </li>
      ))}
      {sentences.length > 20 && <li>{countOf(sentences.length - 20, 'more problem')}</li>}
    </ul>
  );
}

/** Fields with a place of their own. */
const SHOWN = new Set(['name', 'description']);
/** Most further fields of the frontmatter. */
const MOST_FIELDS = 50;

function Frontmatter({ skill: { frontmatter } }: { readonly skill: Skill }) {
  const fields = Object.entries(frontmatter).filter(([name]) => !SHOWN.has(name));
  if (fields.length === 0) return null;
  return (
    <FactList title="Frontmatter">
      {fields.slice(0, MOST_FIELDS).map(([name, value]) => (
        <Fact key={name} name={name.slice(0, 60)}>
          <UntrustedText text={textOrJson(value)} limit={500} />
        </Fact>
      ))}
    </FactList>
  );
}

interface ReadAllProps {
  readonly log: Log;
  readonly request: Request;
  readonly files: readonly string[];
}

/** Reads every file of the skill. */
function ReadAll({ log: { connection }, request: { closed, timeoutMs }, files }: ReadAllProps) {
  const client = useClient();
  const [isSending, setSending] = useState(false);
  const readAll = async () => {
    setSending(true);
    // A failed command leaves the file unread, and its own button says why.
    for (const uri of files) {
      const params = JSON.stringify({ uri });
      await client.send({ type: 'request', connection, method: 'resources/read', params, timeoutMs }).catch(() => {});
    }
    setSending(false);
  };
  return (
    <Button
      variant="primary"
      disabled={closed !== undefined || isSending}
      title={closed}
      onClick={() => void readAll()}
    >
      Read and verify all
    </Button>
  );
}

interface FileRowProps {
  readonly log: Log;
  readonly skill: Skill;
  readonly uri: string;
}

/** One file: its size, the result of its checks, and its content on request. */
function FileRow({ log, skill, uri }: FileRowProps) {
  const request = useRequest(log, 'resources/read', uri);
  const { exchange, closed, readOnly } = request;
  const [isOpen, setOpen] = useState(false);
  const seq = exchange?.status === 'ok' ? exchange.responseSeq : undefined;
  const bytes = useFrameBytes(log, seq === undefined ? NONE : [seq]);
  const read = useMemo(() => {
    if (seq === undefined || bytes !== 'here') return undefined;
    const result = messageSource(log, seq, exchange?.id)?.member('result')?.value;
    return { result, checked: checkFile(skill, uri, result, parseSimpleYaml) };
  }, [log, seq, bytes, exchange?.id, skill, uri]);
  const path = filePath(skill, uri);
  const size = skill.files === 'dynamic' ? undefined : skill.files.find((file) => file.uri === uri)?.size;
  return (
    <li className="min-w-0 border-b border-line py-1">
      <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-3">
        <h4 className="min-w-0">
          <UntrustedText text={path} limit={300} className="font-mono text-wire wrap-anywhere" />
        </h4>
        {size !== undefined && <span className="text-small text-muted">{formatBytes(size)}</span>}
        <span className="flex-1">{read && <Verdict checked={read.checked} isManifest={uri === skill.uri} />}</span>
        {exchange?.status === 'pending' && <Spinner label={`Reading ${path}`} />}
        {seq !== undefined && <FrameLink seq={seq} label="response" short />}
        {exchange?.status === 'error' && exchange.responseSeq !== undefined && (
          <span className="text-error">
            × <FrameLink seq={exchange.responseSeq} label="error" />
          </span>
        )}
        {read && (
          <Button variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} aria-label={`Show ${path}`}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        )}
        {!readOnly && (
          <Button
            disabled={closed !== undefined || exchange?.status === 'pending'}
            title={closed}
            aria-label={`Read ${path}`}
            onClick={() => request.send(JSON.stringify({ uri }))}
          >
            {seq === undefined ? 'Read' : 'Read again'}
          </Button>
        )}
      </div>
      {request.failure && <ErrorNote failure={request.failure} />}
      {seq !== undefined && bytes !== 'here' && <TextNotLoaded gone={bytes === 'gone'} />}
      {read && <Problems sentences={hidesSecrets(read.checked) ? [] : read.checked.problems} />}
      {read && isOpen && (
        <RenderGuard fallback={<p className="text-warn">! This file can’t be drawn. See its response.</p>}>
          <FileContents result={read.result} uri={uri} />
        </RenderGuard>
      )}
    </li>
  );
}

/** True if a recording has placeholders in place of secrets in this file, so its digest can't be right. */
function hidesSecrets({ content, problems }: CheckedFile): boolean {
  return problems.length > 0 && PLACEHOLDER.test(content?.text ?? '');
}

function Verdict({ checked, isManifest }: { readonly checked: CheckedFile; readonly isManifest: boolean }) {
  if (hidesSecrets(checked)) return <span className="text-muted">Secrets are hidden, so it can’t be verified</span>;
  if (checked.problems.length > 0) return <span className="font-medium text-error">× A host must not use it</span>;
  return (
    <>
      {checked.checks.length > 0 && <span className="text-ok">✓ {checked.checks.join(', ')} verified </span>}
      {isManifest && !checked.checks.includes('frontmatter') && (
        <span className="text-muted">
          The page can’t parse its frontmatter. <code>mcp-inspect read skill:NAME</code> can.
        </span>
      )}
      {checked.checks.length === 0 && !isManifest && <span className="text-muted">No digest to verify</span>}
    </>
  );
}

function FileContents({ result, uri }: { readonly result: unknown; readonly uri: string }) {
  const contents = isObject(result) ? own(result, 'contents') : undefined;
  const key = fileKey(uri);
  const items = (Array.isArray(contents) ? contents : []).filter(isObject);
  const file = items.find((item) => fileKey(textOrJson(own(item, 'uri'))) === key) ?? items[0];
  return file ? <ResourceContents contents={file} readUri={uri} /> : <p className="text-warn">! No contents</p>;
}
