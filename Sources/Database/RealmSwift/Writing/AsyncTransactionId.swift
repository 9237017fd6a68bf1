// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A number that identifies an asynchronous write or commit of a Realm.
public typealias RLMAsyncTransactionId = UInt32

/// A number that identifies an asynchronous write or commit, for `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = RLMAsyncTransactionId
