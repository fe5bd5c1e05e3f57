// A place into which an ARN is written, as one text: a listener of a Gateway is another place than the next one.

export interface PlaceWords {
  readonly kind: string
  readonly name: string
  readonly listener?: string
  readonly protocolPort?: string
}

interface WrittenThere {
  readonly arn?: string
  readonly mayHold?: readonly string[]
}

/** Whether anything of ours stands there, or may. */
export function isAnyOursIn({ arn, mayHold = [] }: WrittenThere = {}): boolean {
  return arn !== undefined || mayHold.length > 0
}

export function placeId({ kind, name, listener = '', protocolPort = '' }: PlaceWords): string {
  return [kind, name, listener, protocolPort].join('/')
}
