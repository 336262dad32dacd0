/** A request to a service, read to its end. */
export interface ServiceRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What a request asks for. */
export interface ServiceCall {
  readonly service: string;
  /** As on the wire, such as `TransactWriteItems`. */
  readonly action: string;
  /** What IAM must allow for it, all of it. */
  readonly needs: readonly { readonly action: string; readonly resource: string }[];
  /** What IAM must allow besides for the answer to say that the thing is not there. */
  readonly toSeeAbsence?: { readonly action: string; readonly resource: string };
  /** The request's fields. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What it is about, such as a key: the same each time that a request is made again. */
  readonly subject: string;
  /** Its items that a running transaction can be in the way of; 0 for none. */
  readonly items: number;
}

/** An error of a service, as its documentation names it. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
}

/** A whole HTTP answer. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn, as they were on the wire. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** What befalls the entries of a batch, by their places from 0; the others are applied and answered. */
export interface BatchPart {
  /** Not applied, and answered as failed with this code. */
  readonly failed: readonly number[];
  readonly code: string;
  /** Applied, and not spoken of in the answer. */
  readonly unanswered: readonly number[];
}

/** A batch of which only some entries are applied. */
export interface PartialBatch {
  /** The request with the entries that are applied; `undefined` when there are none. */
  readonly body: Buffer | undefined;
  /** What is answered instead of what the service said of those. */
  answer(applied: Answer | undefined): Answer;
}

/** One service behind the gateway. Adding a service is writing one of these. */
export interface GatewayService {
  /** As in an ARN and in `Endpoints`, such as `dynamodb`. */
  readonly name: string;
  /** The base URL of what answers for it here. */
  readonly target: string;
  /** `undefined` for an action that nobody has written down here: then nothing is known of the grants it needs. */
  read(request: ServiceRequest): ServiceCall | undefined;
  /** An error in the service's own form. */
  describeError(error: ServiceError): Answer;
  /** The answer to a call for which there is no capacity; `at` as in the fault. */
  describeThrottling(call: ServiceCall, at: number | undefined): Answer;
  /** The answer to a call whose item a transaction holds; `undefined` where none can. */
  describeConflict(call: ServiceCall, at: number): Answer | undefined;
  /** How a batch goes through in part. Left out by a service that has no such batches. */
  readonly applyPart?: (call: ServiceCall, part: BatchPart) => PartialBatch | undefined;
}
