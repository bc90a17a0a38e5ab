/** The policy for sharing of the working directory. */
export const POLICY_FILE = 'share.policy.json';
export const MOST_POLICY_BYTES = 64 * 1024;
