// A place into which an ARN is written, as one text: a listener of a Gateway is another place than the next one.

export interface PlaceWords {
  readonly kind: string
  readonly name: string
  readonly listener?: string
  readonly protocolPort?: string
}

export function placeId({ kind, name, listener = '', protocolPort = '' }: PlaceWords): string {
  return [kind, name, listener, protocolPort].join('/')
}
