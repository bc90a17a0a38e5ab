import type { CheckFinding } from '@/features/check/lib/report';
import { type SpecTopic, specPage } from '@/lib/protocol/spec-pages';
import type { Session } from './check-session';

/** A rule of a step, with the page of the specification that it is about. */
export type StepRule = readonly [severity: CheckFinding['severity'], title: string, advice: string, topic: SpecTopic];

/** Returns a function that makes findings by these rules. `frames`: those that show it. `path`: what it is about. */
export function findingsBy<R extends string>(rules: Readonly<Record<R, StepRule>>) {
  return (
    { negotiated }: Pick<Session, 'negotiated'>,
    rule: R,
    message: string,
    frames: readonly number[],
    path?: string,
  ): CheckFinding => {
    const [severity, title, advice, topic] = rules[rule];
    const spec = specPage(topic, negotiated.version).url;
    return { rule, severity, title, message, path, frames, advice, spec };
  };
}
