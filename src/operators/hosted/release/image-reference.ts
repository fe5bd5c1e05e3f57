// Where an image is: a registry, a repository there, and a digest or tag. Releases name all three; nothing is guessed.

export interface ImageReference {
  readonly host: string
  readonly repository: string
  /** A digest where there is one: a tag beside it says nothing more. */
  readonly version: string
}

const component = '[a-z0-9]+(?:[._-]+[a-z0-9]+)*'
const pattern = new RegExp(
  `^([A-Za-z0-9][A-Za-z0-9.-]*(?::\\d{1,5})?)/(${component}(?:/${component})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
)

export function parseImageReference(text: string): ImageReference | undefined {
  const [, host = '', repository = '', tag, digest] = pattern.exec(text) ?? []
  const version = digest ?? tag
  // A first part without a dot or port would be a folder of a registry that is not named.
  if (version === undefined || !/[.:]/.test(host)) return undefined
  return { host, repository, version }
}

export function isDigest(version: string): boolean {
  return version.startsWith('sha256:')
}
