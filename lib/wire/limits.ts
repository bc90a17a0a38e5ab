import { CHECKING_LIMITS } from './limits/checking-limits';
import { FRAME_LIMITS } from './limits/frame-limits';
import { HTTP_LIMITS } from './limits/http-limits';
import { PAGE_LIMITS } from './limits/page-limits';
import { PAGE_LINK_LIMITS } from './limits/page-link-limits';
import { PROCESS_LIMITS } from './limits/process-limits';
import { PROTOCOL_LIMITS } from './limits/protocol-limits';
import { RECORDING_LIMITS } from './limits/recording-limits';
import { REPLAY_LIMITS } from './limits/replay-limits';
import { SHARING_LIMITS } from './limits/sharing-limits';

/** Every number that bounds something, in one place. Bytes, milliseconds or counts, as the names say. */
export const LIMITS = {
  ...FRAME_LIMITS,
  ...PAGE_LINK_LIMITS,
  ...PROCESS_LIMITS,
  ...PROTOCOL_LIMITS,
  ...HTTP_LIMITS,
  ...RECORDING_LIMITS,
  ...SHARING_LIMITS,
  ...REPLAY_LIMITS,
  ...CHECKING_LIMITS,
  ...PAGE_LIMITS,
} as const;
