import type { Option } from '@/proxy/cli/grammar';
import { hostOptions } from './hosts/options';

const ADDED: readonly Readonly<Record<'client' | 'check' | 'doctor', readonly Option[]>>[] = [hostOptions];

/** The options with which subcommands connect like a host. */
export const CLIENT_HOST_OPTIONS = ADDED.flatMap(({ client }) => client);

/** The options with which `check` chooses hosts. */
export const CHECK_HOST_OPTIONS = ADDED.flatMap(({ check }) => check);

/** The options with which `doctor` chooses hosts. */
export const DOCTOR_HOST_OPTIONS = ADDED.flatMap(({ doctor }) => doctor);
