// A resource inside of a Linux program, where Node looks for what it is to run: a note in a segment of its own. The table of program headers
// moves to the end of the file, because there is no room behind it, and with it comes the note; nothing that was there changes its place.
// What it does is that of the usual tool (postject), which brings a compiled library of 3 MB for all formats of programs.

const name = 'NODE_SEA_BLOB'
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:'
const page = 0x1000n
const headerSize = 56

const kinds = { load: 1, note: 4, table: 6 } as const

/** Of a 64-bit little-endian ELF program. Throws when it is none, or when Node's mark is not in it. */
export function withResource(program: Buffer, resource: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program[4] !== 2 || program[5] !== 1)
    throw new Error('this is no 64-bit ELF program')
  const count = program.readUInt16LE(56)
  const from = Number(program.readBigUInt64LE(32))
  const headers = Array.from({ length: count }, (_, at) =>
    Buffer.from(program.subarray(from + at * headerSize, from + (at + 1) * headerSize)),
  )
  const place = upTo(BigInt(program.length), page)
  const address = upTo(
    headers.reduce((most, header) => bigger(most, endOf(header)), 0n),
    page,
  )
  const tableSize = BigInt((count + 2) * headerSize)
  const note = noteOf(resource)
  const noteAt = upTo(tableSize, 4n)
  const whole = noteAt + BigInt(note.length)
  for (const header of headers) {
    if (header.readUInt32LE(0) === kinds.table) placeHeader(header, { offset: place, address, size: tableSize })
  }
  const added = [
    placeHeader(headerOf(kinds.load, page), { offset: place, address, size: whole }),
    placeHeader(headerOf(kinds.note, 4n), { offset: place + noteAt, address: address + noteAt, size: BigInt(note.length) }),
  ]
  const made = Buffer.alloc(Number(place + whole))
  program.copy(made)
  Buffer.concat([...headers, ...added]).copy(made, Number(place))
  note.copy(made, Number(place + noteAt))
  made.writeBigUInt64LE(place, 32)
  made.writeUInt16LE(count + 2, 56)
  burn(made)
  return made
}

/** The mark by which Node knows that there is something to look for. */
function burn(program: Buffer): void {
  const at = program.indexOf(`${fuse}0`)
  if (at === -1) throw new Error('this Node takes no resource: its mark is missing, or there is one already')
  program.write('1', at + fuse.length)
}

function noteOf(resource: Buffer): Buffer {
  const named = Buffer.from(`${name}\0`)
  const head = Buffer.alloc(12)
  head.writeUInt32LE(named.length, 0)
  head.writeUInt32LE(resource.length, 4)
  return Buffer.concat([head, padded(named), padded(resource)])
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

function headerOf(kind: number, alignment: bigint): Buffer {
  const header = Buffer.alloc(headerSize)
  header.writeUInt32LE(kind, 0)
  const readable = 4
  header.writeUInt32LE(readable, 4)
  header.writeBigUInt64LE(alignment, 48)
  return header
}

function placeHeader(
  header: Buffer,
  { offset, address, size }: { readonly offset: bigint; readonly address: bigint; readonly size: bigint },
): Buffer {
  header.writeBigUInt64LE(offset, 8)
  for (const at of [16, 24]) header.writeBigUInt64LE(address, at)
  for (const at of [32, 40]) header.writeBigUInt64LE(size, at)
  return header
}

/** Where what is loaded by it ends in memory. */
function endOf(header: Buffer): bigint {
  return header.readUInt32LE(0) === kinds.load ? header.readBigUInt64LE(16) + header.readBigUInt64LE(40) : 0n
}

function upTo(value: bigint, step: bigint): bigint {
  return ((value + step - 1n) / step) * step
}

function bigger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
