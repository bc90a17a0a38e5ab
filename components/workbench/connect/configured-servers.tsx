import { type FormEvent, useState } from 'react';
import { join } from 'shlex';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useServers } from '@/lib/hooks/connections';
import type { ConfiguredServer } from '@/lib/wire/api';
import { type Answers, type GivenInput, givenInputs } from '@/lib/wire/config-inputs';
import { InputFields } from './input-fields';

/** Lists the servers from the command line and config files. Each can be started, after its inputs, or edited first. */
export function ConfiguredServers({
  disabled,
  onStart,
  onEdit,
}: {
  readonly disabled: boolean;
  readonly onStart: (server: ConfiguredServer, inputs: readonly GivenInput[]) => void;
  readonly onEdit: (server: ConfiguredServer) => void;
}) {
  const { servers, error } = useServers();
  // The server whose inputs are asked for, null for none. Until the user chooses, it is the one on the command line.
  const [asked, setAsked] = useState<string | null>();
  if (error) return <ErrorNote failure={error} />;
  if (servers.length === 0) return null;
  const open = asked === undefined ? servers.find(({ waiting }) => waiting)?.id : asked;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted">Configured servers</h3>
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {servers.map((server) => (
          <li key={server.id} className="flex flex-col gap-2 py-1">
            <div className="flex min-h-7 flex-wrap items-center gap-2">
              <div className="min-w-0 flex-1 basis-52">
                <p className="flex items-baseline gap-2">
                  <bdi className="truncate font-medium" title={visibleText(nameOf(server))}>
                    {visibleText(nameOf(server))}
                  </bdi>
                  {server.disabled && <Badge title="The config disables this server">disabled</Badge>}
                  {server.source !== nameOf(server) && (
                    <span className="truncate text-small text-muted">{server.source}</span>
                  )}
                </p>
                <p className="truncate font-mono text-small text-muted" title={visibleText(commandLine(server))}>
                  {visibleText(commandLine(server))}
                </p>
                {server.problem && (
                  <p className="break-words text-error">
                    <Sentence text={server.problem} draw={visibleText} />
                  </p>
                )}
              </div>
              <div className="flex gap-2">
                <Button
                  size="small"
                  variant="ghost"
                  title="Change how the server is started, then start it"
                  onClick={() => onEdit(server)}
                >
                  Edit…
                </Button>
                <Button
                  size="small"
                  disabled={disabled || server.problem !== undefined}
                  aria-expanded={server.inputs && server.id === open}
                  onClick={() =>
                    server.inputs ? setAsked(server.id === open ? null : server.id) : onStart(server, [])
                  }
                >
                  Start {visibleText(nameOf(server)).slice(0, 40)}
                  {server.disabled && ' anyway'}
                  {server.inputs && '…'}
                </Button>
              </div>
            </div>
            {server.inputs && server.id === open && (
              <ConfigInputs
                server={server}
                disabled={disabled}
                onStart={(inputs) => onStart(server, inputs)}
                onCancel={() => setAsked(null)}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Asks for a server's inputs. Answers go to the proxy, which keeps them in memory only. */
function ConfigInputs({
  server,
  disabled,
  onStart,
  onCancel,
}: {
  readonly server: ConfiguredServer;
  readonly disabled: boolean;
  readonly onStart: (inputs: readonly GivenInput[]) => void;
  readonly onCancel: () => void;
}) {
  const [answers, setAnswers] = useState<Answers>(new Map());
  const inputs = server.inputs ?? [];
  const given = givenInputs(inputs, answers);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given && !disabled) onStart(given);
  };
  return (
    <form
      aria-label={`Inputs of ${visibleText(nameOf(server))}`}
      onSubmit={submit}
      className="flex max-w-md flex-col gap-2 pb-2"
    >
      <InputFields inputs={inputs} answers={answers} onAnswers={setAnswers} autoFocus />
      <p className="text-muted">mcp-inspect does not save answers. Passwords are masked in recordings.</p>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={!given || disabled}>
          Connect {visibleText(nameOf(server)).slice(0, 40)}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function commandLine({ target }: ConfiguredServer): string {
  return target.transport === 'stdio' ? join([target.command, ...target.args]) : target.url;
}

function nameOf(server: ConfiguredServer): string {
  return server.target.name ?? commandLine(server);
}
