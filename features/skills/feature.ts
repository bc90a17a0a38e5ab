import type { Feature } from '../feature';

/** Skills of a server: directories of files, verified against their entries. */
export const skills: Feature = {
  name: 'skills',
  lists: [
    {
      name: 'skills',
      note: 'skills reads no file.',
      extension: 'io.modelcontextprotocol/skills',
      load: () => import('./proxy/list-skills'),
    },
  ],
  reads: [
    {
      what: 'a skill',
      usage: 'skill:NAME[/PATH]',
      examples: [
        ['read skill:git -- node server.js', 'verifies the files of a skill'],
        ['read skill:git/notes.txt -- node server.js', 'this file, if it is verified'],
      ],
      notes: [
        'skill:URI[/PATH] reads a skill that is not listed; URI ends in /SKILL.md.',
        'A wrong size, digest or frontmatter of a skill ends it with exit code 1.',
      ],
      names: (word) => /^skill:(?!\/\/)/.test(word),
      load: () => import('./proxy/read-skill'),
    },
  ],
};
