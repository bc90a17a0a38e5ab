import { isObject, own } from '@/lib/json/value';
import type { SeenMessage } from '@/lib/problems/protocol-state';
import { messageRule, type ProtocolRule, quote } from '@/lib/problems/rule';
import { PLACEHOLDER } from '@/lib/problems/rules/content';
import type { FaultPath } from '@/lib/protocol/checks';
import { RecentMap } from '@/lib/store/columns/collections';
import { digestProblem, skillContent } from './file-digest';
import { fileKey, readSkill, type SkillFile } from './skill-entry';

/** Returns the entries of skills in a result, with their paths in the message. */
function entriesIn({ body, request }: SeenMessage): readonly { readonly entry: unknown; readonly path: FaultPath }[] {
  const result = own(body, 'result');
  if (!isObject(result)) return [];
  if (request?.method === 'skills/get') return [{ entry: own(result, 'skill'), path: ['result', 'skill'] }];
  const listed = request?.method === 'skills/list' ? own(result, 'skills') : undefined;
  return Array.isArray(listed) ? listed.map((entry, place) => ({ entry, path: ['result', 'skills', place] })) : [];
}

/** Builds a rule that compares files with the newest entry that lists them. */
function fileRule(what: 'size' | 'digest', rule: Omit<ProtocolRule, 'checks' | 'topic' | 'severity'>): ProtocolRule {
  return {
    ...rule,
    severity: 'error',
    topic: 'resources',
    checks: () => {
      const files = new RecentMap<string, { readonly file: SkillFile; readonly seq: number }>();
      return {
        kinds: ['response'],
        message: (seen, _state, report) => {
          for (const { entry } of entriesIn(seen)) {
            const { files: listed } = readSkill(entry);
            if (listed === 'dynamic') continue;
            for (const file of listed) files.set(fileKey(file.uri) ?? file.uri, { file, seq: seen.seq });
          }
          const { request, body } = seen;
          const uri = request?.method === 'resources/read' ? own(request.params, 'uri') : undefined;
          const known = typeof uri === 'string' ? files.get(fileKey(uri) ?? uri) : undefined;
          if (!request || !known) return;
          const content = skillContent(known.file.uri, own(body, 'result'));
          // A recording has placeholders for secrets, which the server did not send.
          if (typeof content === 'string' || PLACEHOLDER.test(content.text ?? '')) return;
          const found = digestProblem(known.file, content.bytes);
          if (found?.what !== what) return;
          report({
            message: `${quote(known.file.uri)}: ${found.message}`,
            path: ['result', 'contents'],
            seqs: [known.seq, request.seq],
          });
        },
      };
    },
  };
}

/** Rules about skills (io.modelcontextprotocol/skills). */
export const SKILL_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'skill-entry',
      kinds: ['response'],
      severity: 'error',
      title: 'Invalid entry of a skill',
      topic: 'resources',
      advice: 'Give the entry the uri of its SKILL.md, its whole frontmatter, and each file with its digest and size.',
    },
    (seen, _state, report) => {
      for (const { entry, path } of entriesIn(seen)) {
        const { uri, problems } = readSkill(entry);
        const [first] = problems;
        if (first !== undefined) report({ message: `${quote(uri)}: ${first}`, path, seqs: [seen.request!.seq] });
      }
    },
  ),
  fileRule('size', {
    id: 'skill-size',
    title: 'File of a skill with another size',
    advice: 'List the number of bytes that resources/read returns, after decoding a blob.',
  }),
  fileRule('digest', {
    id: 'skill-digest',
    title: 'File of a skill with another digest',
    advice: 'List the SHA-256 of the bytes that resources/read returns, and list skills again when a file changes.',
  }),
];
