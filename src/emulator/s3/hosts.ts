// Host names of S3, which hold the bucket in virtual-host style.
import { regionForm, type ServiceAddress } from '../wire/address.ts'

/** The S3 label may stand anywhere near the end; all before it is the bucket, which may hold dots. */
export const readS3Host: NonNullable<ServiceAddress['readHost']> = (labels, suffix) => {
  if (suffix === '.api.aws') return undefined
  const last = labels.at(-1) ?? ''
  const found = (region: string | undefined, used: number): ReturnType<typeof readS3Host> => ({
    region,
    bucket: labels.length > used ? labels.slice(0, -used).join('.') : undefined,
  })
  if (last === 's3') return found(undefined, 1)
  if (last.startsWith('s3-') && regionForm.test(last.slice(3))) return found(last.slice(3), 1)
  if (!regionForm.test(last)) return undefined
  if (labels.at(-2) === 's3') return found(last, 2)
  return labels.at(-2) === 'dualstack' && labels.at(-3) === 's3' ? found(last, 3) : undefined
}
