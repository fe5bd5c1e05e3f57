// What the container of a zone is called: contract, since the drift of a Deployment is judged container by container.

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

export function containerName(zone: string): string {
  return `external-dns-${codeOf(zone)}`
}

/** Each name once: of different zones with one code, the later ones in the list are numbered. */
export function containerNames(texts: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  return texts.map(text => {
    const name = containerName(text)
    const nth = (times.get(name) ?? 0) + 1
    times.set(name, nth)
    return nth === 1 ? name : `${name}-${nth}`
  })
}

function codeOf(text: string): string {
  const hash = fnv1a(new TextEncoder().encode(text))
  const bytes = [hash >>> 24, (hash >>> 16) & 255, (hash >>> 8) & 255, hash & 255]
  const printed = `[${bytes.join(' ')}]`
  return Array.from(printed, character => alphabet[character.charCodeAt(0) % alphabet.length]).join('')
}

/** 32 bits. */
function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
