import { type Diagnosis, diagnose, diagnosisText } from '@/lib/doctor/diagnose';
import type { TapHost } from '@/lib/mcp/live-connection';
import { Log } from '@/lib/store/log';
import type { NearbyAddresses } from '@/lib/wire/command';
import { EXIT } from '@/proxy/cli/exit-code';
import type { Output } from '@/proxy/cli/output';
import type { Subcommand } from './subcommand';

/** The log of one attempt, read where it was made. */
export class DoctorLog {
  readonly #log = new Log('doctor');

  /** Takes each frame as well, after `next`. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      next(channel, direction, flags, time, source, start, end);
      const seq = this.#log.size + 1;
      this.#log.append([{ seq, time, direction, channel, flags, bytes: source.slice(start, end) }]);
      return seq;
    };
  }

  /**
   * Prints why the server can't be reached, after having `look`ed further where that may help. False if this log has nothing
   * to say: it is of a command, or of a connection that did not fail.
   */
  async printDiagnosis(out: Output, look: (where: NearbyAddresses) => Promise<void>): Promise<boolean> {
    const first = diagnose(this.#log);
    const where = first?.actions.find((action) => action.kind === 'look-further')?.where;
    if (where) await look(where);
    const diagnosis = diagnose(this.#log);
    if (!diagnosis) return false;
    if (out.json) out.printExact(JSON.stringify(withoutFrames(diagnosis)));
    else out.printText(diagnosisText(withoutFrames(diagnosis), this.#url));
    return true;
  }

  get #url(): string {
    const { start } = this.#log.state.connection;
    return start && start.transport !== 'stdio' ? start.url : '';
  }
}

/** Frame numbers say nothing where no log is left. */
function withoutFrames({ seq: _, ...diagnosis }: Diagnosis): Omit<Diagnosis, 'seq'> {
  const steps = diagnosis.steps.map((step) => ({ ...step, evidence: step.evidence.map(({ text }) => ({ text })) }));
  return { ...diagnosis, steps };
}

/** Reports that the server can be connected, how, and its non-MCP output. A failed attempt has already said why. */
export const doctor: Subcommand = async () => {
  return async ({ negotiated, out, stray }) => {
    // `--no-handshake` is refused for this word.
    const { version, era, serverInfo } = negotiated!;
    const lines = stray.takeLines();
    const findings = lines ? [{ code: 'not-mcp', ...lines }] : [];
    if (out.json) {
      out.printExact(JSON.stringify({ code: 'connected', version, era, ...(serverInfo && { serverInfo }), findings }));
    } else out.printText(`The server can be connected: protocol ${version}, ${era} era.`);
    for (const { message } of findings) out.printNote('mcp-inspect', message);
    return EXIT.fine;
  };
};
