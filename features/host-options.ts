import type { Option } from '@/proxy/cli/grammar';
import { hostOptions } from './hosts/options';

const ADDED: readonly { readonly check: readonly Option[]; readonly doctor: readonly Option[] }[] = [hostOptions];

/** The options with which `check` chooses hosts. */
export const CHECK_HOST_OPTIONS = ADDED.flatMap(({ check }) => check);

/** The options with which `doctor` chooses hosts. */
export const DOCTOR_HOST_OPTIONS = ADDED.flatMap(({ doctor }) => doctor);
