import { config } from 'zod';

// The page's policy forbids compiling code, which zod would otherwise try. It decides that when the first schema is
// made, so this module has to be the first import of a module that makes one.
config({ jitless: true });
