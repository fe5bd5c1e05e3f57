// One file out of a tar archive. Names of up to 255 bytes, as the format has had them since 1988; what a release has is shorter.

const blockBytes = 512

/** `undefined` where it is not there. Throws where the bytes are no archive. */
export function fileInTar(archive: Uint8Array, wanted: string): Uint8Array | undefined {
  let at = 0
  let found: Uint8Array | undefined
  while (at + blockBytes <= archive.length && archive[at] !== 0) {
    const header = archive.subarray(at, at + blockBytes)
    const size = textAt(header, 124, 12)
    // One below zero would lead back to a file before it, again and again.
    if (textAt(header, 257, 5) !== 'ustar' || !/^[0-7]+$/.test(size)) throw new Error('a layer is no tar archive')
    const prefix = textAt(header, 345, 155)
    const name = prefix === '' ? textAt(header, 0, 100) : `${prefix}/${textAt(header, 0, 100)}`
    const start = at + blockBytes
    const end = start + Number.parseInt(size, 8)
    if (end > archive.length) throw new Error('a layer is cut short')
    // Of files of one name the last one counts.
    if (name.replace(/^\.?\//, '') === wanted) found = archive.subarray(start, end)
    at = Math.ceil(end / blockBytes) * blockBytes
  }
  return found
}

function textAt(header: Uint8Array, start: number, length: number): string {
  const bytes = header.subarray(start, start + length)
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end))
    .toString()
    .trim()
}
