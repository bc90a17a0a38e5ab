import type { SubcommandName } from '../../cli/subcommands';
import type { Subcommand } from '../subcommand';
import { call } from './call';
import { doctor } from './doctor';
import { forms } from './forms';
import { list } from './list';
import { prompt } from './prompt';
import { raw } from './raw';
import { read } from './read';
import { verify } from './verify';

/** The code of each subcommand; one without does not compile. */
export const COMMANDS: { readonly [Name in SubcommandName]: Subcommand } = {
  list,
  call,
  read,
  prompt,
  forms,
  raw,
  doctor,
  verify,
};
