// PEM in and out. Files hold several blocks and text between them; both are normal.

export interface PemBlock {
  readonly label: string
  readonly bytes: Uint8Array
}

export function renderPem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** All blocks in order; text around them is ignored, as everybody does. */
export function parsePem(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = []
  for (const match of text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g)) {
    blocks.push({ label: match[1] ?? '', bytes: Buffer.from(match[2] ?? '', 'base64') })
  }
  return blocks
}
