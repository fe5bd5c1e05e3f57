// Which of three forms a CRD is rendered in.

/** `seed`: the first published form. `current`: the one in use. `extended`: with what this project adds. */
export type CrdMode = 'current' | 'seed' | 'extended'
