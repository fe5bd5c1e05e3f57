// Just enough XML for AWS's REST-XML bodies, both ways. Reading is strict and bounded: no document types, no entities of the
// sender's making, limited depth; what a real server refuses as malformed is refused here.

export interface XmlElement {
  /** Without its namespace prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

export class MalformedXml extends Error {}

const depthMax = 64

export function parseXml(source: string): XmlElement {
  const reader = new Reader(source.startsWith('\ufeff') ? source.slice(1) : source)
  return reader.document()
}

/** For text between tags. Line ends are escaped too: readers normalise them, or drop text that is nothing else. */
export function escapeXml(text: string): string {
  return special.test(text) ? text.replace(specials, character => escapes[character] as string) : text
}

const special = /[&<>"\r\n\u0085\u2028]/
const specials = /[&<>"\r\n\u0085\u2028]/g
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
  '\u0085': '&#x85;',
  '\u2028': '&#x2028;',
}
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

class Reader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  document(): XmlElement {
    this.#skipMisc()
    const root = this.#element(0)
    this.#skipMisc()
    if (this.#at !== this.#source.length) throw new MalformedXml('content after the root element')
    return root
  }

  #skipMisc(): void {
    for (;;) {
      while (/\s/.test(this.#source[this.#at] ?? '')) this.#at++
      if (this.#source.startsWith('<?', this.#at)) this.#skipPast('?>')
      else if (this.#source.startsWith('<!--', this.#at)) this.#skipPast('-->')
      else return
    }
  }

  #skipPast(end: string): void {
    const found = this.#source.indexOf(end, this.#at)
    if (found === -1) throw new MalformedXml(`"${end}" is missing`)
    this.#at = found + end.length
  }

  #element(depth: number): XmlElement {
    if (depth > depthMax) throw new MalformedXml('elements are nested too deeply')
    const [, qualified = ''] = this.#match(/<([A-Za-z_][\w.:-]*)/y, 'an element is expected')
    const attributes = this.#attributes()
    const name = qualified.slice(qualified.indexOf(':') + 1)
    if (this.#match(/\s*(\/?)>/y, 'a tag is not closed')[1] === '/') return { name, attributes, children: [], text: '' }
    const { children, text } = this.#content(depth)
    const close = this.#match(/<\/([A-Za-z_][\w.:-]*)\s*>/y, 'an end tag is expected')
    if (close[1] !== qualified) throw new MalformedXml(`<${qualified}> is closed by </${close[1] ?? ''}>`)
    return { name, attributes, children, text }
  }

  #attributes(): Readonly<Record<string, string>> {
    const attributes: Record<string, string> = {}
    const form = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
    for (;;) {
      form.lastIndex = this.#at
      const found = form.exec(this.#source)
      if (found === null) return attributes
      this.#at = form.lastIndex
      const [, name = '', doubled, single = ''] = found
      attributes[name] = decoded(doubled ?? single)
    }
  }

  #content(depth: number): { readonly children: readonly XmlElement[]; readonly text: string } {
    const children: XmlElement[] = []
    let text = ''
    for (;;) {
      const next = this.#source.indexOf('<', this.#at)
      if (next === -1) throw new MalformedXml('the document ends inside an element')
      text += decoded(this.#source.slice(this.#at, next))
      this.#at = next
      if (this.#source.startsWith('</', next)) return { children, text }
      if (this.#source.startsWith('<![CDATA[', next)) {
        this.#skipPast(']]>')
        text += this.#source.slice(next + 9, this.#at - 3)
      } else if (this.#source.startsWith('<!--', next)) this.#skipPast('-->')
      else if (this.#source.startsWith('<?', next)) this.#skipPast('?>')
      else children.push(this.#element(depth + 1))
    }
  }

  #match(form: RegExp, fault: string): RegExpExecArray {
    form.lastIndex = this.#at
    const found = form.exec(this.#source)
    if (found === null) throw new MalformedXml(fault)
    this.#at = form.lastIndex
    return found
  }
}

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9A-Fa-f]{1,6})|#(\d{1,7})|(\w+));|&/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined && entities[name] !== undefined) return entities[name]
      const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : Number.NaN
      if (!(code > 0 && code <= 0x10ffff)) throw new MalformedXml(`"${whole}" is no character or known entity`)
      return String.fromCodePoint(code)
    },
  )
}
