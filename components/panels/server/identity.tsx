import { FrameLink } from '@/components/exchange/frame-link';
import { visibleText } from '@/components/ui/visible-text';
import { ExternalLink } from '@/components/untrusted/external-link';
import { Markdown } from '@/components/untrusted/markdown';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { own } from '@/lib/wire/message';
import { Fact, FactList } from './fact';

/** Who the server says it is, and the protocol that was agreed on. */
export function Identity({ log }: { readonly log: Log }) {
  const server = useLogState(log, (state) => state.server);
  const { era, version, start } = useLogState(log, (state) => state.connection);
  const website = server.info && own(server.info, 'websiteUrl');
  const description = server.info && own(server.info, 'description');
  return (
    <>
      <FactList title="Identity">
        <Fact name="name">{server.info && <UntrustedText text={server.info.name || '(none)'} limit={300} />}</Fact>
        <Fact name="title">{server.info?.title && <UntrustedText text={server.info.title} limit={300} />}</Fact>
        <Fact name="version">
          {server.info && <UntrustedText text={server.info.version || '(none)'} limit={100} />}
        </Fact>
        <Fact name="description">
          {typeof description === 'string' && <UntrustedText text={description} limit={600} />}
        </Fact>
        <Fact name="website">
          {typeof website === 'string' && (
            <ExternalLink address={website}>{visibleText(website.slice(0, 200))}</ExternalLink>
          )}
        </Fact>
        <Fact name="protocol">{version !== undefined && `${version}, ${era} era`}</Fact>
        <Fact name="asked for">{start?.protocol === 'none' ? 'no handshake' : start?.protocol}</Fact>
        <Fact name="said in">{server.seq !== undefined && <FrameLink seq={server.seq} label="frame" />}</Fact>
        {!server.info && <Fact name="serverInfo">The server has not said who it is.</Fact>}
      </FactList>
      {server.instructions !== undefined && (
        <section aria-label="Instructions" className="min-w-0">
          <h2 className="mb-1 font-medium">Instructions</h2>
          <Markdown text={server.instructions} />
        </section>
      )}
    </>
  );
}
