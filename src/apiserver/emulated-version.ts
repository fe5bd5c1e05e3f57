// Which release of Kubernetes the server behaves like where releases differ.
export type EmulatedVersion = '1.32' | '1.33' | '1.34'
