import type { FileSubcommandName } from '../../cli/file-subcommands';
import type { FileSubcommand } from '../file-subcommand';
import { diff } from './diff';
import { replay } from './replay';
import { share } from './share';

/** The code of each subcommand on recordings; one without does not compile. */
export const FILE_COMMANDS: { readonly [Name in FileSubcommandName]: FileSubcommand } = { diff, replay, share };
