import type { RemoteStore } from './recording-store';
import { bucket } from './team/recording-store';

/** Every place of recordings beyond this machine. */
export const RECORDING_STORES: readonly RemoteStore[] = [bucket];

/** The uploads to a store; undefined without one. */
export const UPLOADS = RECORDING_STORES[0]?.uploads;
