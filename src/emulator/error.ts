/** A refusal that goes to the client. What is thrown as anything else is a bug of ours and answered as the service's 500. */
export class ServiceError extends Error {
  readonly code: string
  readonly status: number
  /** Further members of the error on the wire: S3's `BucketName`, EKS's `clusterName`. */
  readonly fields: Readonly<Record<string, string>>

  constructor(code: string, status: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.status = status
    this.fields = fields
  }
}
