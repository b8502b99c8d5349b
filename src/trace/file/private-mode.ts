/** The mode of files that only their owner may read: arguments and results are in them. */
export const PRIVATE_MODE = 0o600;
