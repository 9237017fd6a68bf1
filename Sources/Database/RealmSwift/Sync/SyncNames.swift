// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The names of apps, users and sessions in the Objective-C half of the original SDK, which Swift code also uses.

/// The name of ``App`` in the Objective-C half of Realm's SDK.
public typealias RLMApp = App
/// The name of ``AppConfiguration`` in the Objective-C half of Realm's SDK.
public typealias RLMAppConfiguration = AppConfiguration
/// The name of ``User`` in the Objective-C half of Realm's SDK.
public typealias RLMUser = User
/// The name of ``UserProfile`` in the Objective-C half of Realm's SDK.
public typealias RLMUserProfile = UserProfile
/// The name of ``UserIdentity`` in the Objective-C half of Realm's SDK.
public typealias RLMUserIdentity = UserIdentity
/// The name of ``UserState`` in the Objective-C half of Realm's SDK.
public typealias RLMUserState = UserState
/// The name of ``UserAPIKey`` in the Objective-C half of Realm's SDK.
public typealias RLMUserAPIKey = UserAPIKey
/// The name of ``APIKeyAuth`` in the Objective-C half of Realm's SDK.
public typealias RLMAPIKeyAuth = APIKeyAuth
/// The name of ``EmailPasswordAuth`` in the Objective-C half of Realm's SDK.
public typealias RLMEmailPasswordAuth = EmailPasswordAuth
/// The name of ``PushClient`` in the Objective-C half of Realm's SDK.
public typealias RLMPushClient = PushClient
/// The name of ``SyncManager`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncManager = SyncManager
/// The name of ``SyncTimeoutOptions`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncTimeoutOptions = SyncTimeoutOptions
/// The name of ``SyncLogLevel`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncLogLevel = SyncLogLevel
/// The name of ``SyncSession`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncSession = SyncSession
/// The name of ``SyncConfiguration`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncConfiguration = SyncConfiguration
/// The name of ``SyncError`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncError = SyncError
/// The name of ``MaxKey`` in the Objective-C half of Realm's SDK.
public typealias RLMMaxKey = MaxKey
/// The name of ``MinKey`` in the Objective-C half of Realm's SDK.
public typealias RLMMinKey = MinKey
/// The name of ``CompensatingWriteInfo`` in the Objective-C half of Realm's SDK.
public typealias RLMCompensatingWriteInfo = CompensatingWriteInfo
/// The name of ``Credentials`` in the Objective-C half of Realm's SDK.
public typealias RLMCredentials = Credentials
/// The name of ``Provider`` in the Objective-C half of Realm's SDK.
public typealias RLMIdentityProvider = Provider
/// The name of ``SyncSession/State`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncSessionState = SyncSession.State
/// The name of ``SyncSession/ConnectionState`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncConnectionState = SyncSession.ConnectionState
/// The name of ``SyncSession/ProgressNotificationToken`` in the Objective-C half of Realm's SDK.
public typealias RLMProgressNotificationToken = SyncSession.ProgressNotificationToken
/// The name of ``SyncError/ActionToken`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncErrorActionToken = SyncError.ActionToken
/// The name of ``ErrorReportingBlock`` in the Objective-C half of Realm's SDK.
public typealias RLMSyncErrorReportingBlock = ErrorReportingBlock
/// The name of ``EmailPasswordAuthOptionalErrorBlock`` in the Objective-C half of Realm's SDK.
public typealias RLMEmailPasswordAuthOptionalErrorBlock = EmailPasswordAuthOptionalErrorBlock
/// Another name for ``SyncError/ActionToken``.
public typealias ActionToken = SyncError.ActionToken
/// A function that receives the user, or the error of the request.
public typealias UserCompletionBlock = @Sendable (User?, Error?) -> Void
/// The name of ``UserCompletionBlock`` in the Objective-C half of Realm's SDK.
public typealias RLMUserCompletionBlock = UserCompletionBlock
/// The name of ``MongoClient`` in the Objective-C half of Realm's SDK.
public typealias RLMMongoClient = MongoClient
/// The name of ``MongoDatabase`` in the Objective-C half of Realm's SDK.
public typealias RLMMongoDatabase = MongoDatabase
/// The name of ``MongoCollection`` in the Objective-C half of Realm's SDK.
public typealias RLMMongoCollection = MongoCollection
/// The name of ``FindOptions`` in the Objective-C half of Realm's SDK.
public typealias RLMFindOptions = FindOptions
/// The name of ``FindOneAndModifyOptions`` in the Objective-C half of Realm's SDK.
public typealias RLMFindOneAndModifyOptions = FindOneAndModifyOptions
/// The name of ``UpdateResult`` in the Objective-C half of Realm's SDK.
public typealias RLMUpdateResult = UpdateResult
/// The name of ``ChangeStream`` in the Objective-C half of Realm's SDK.
public typealias RLMChangeStream = ChangeStream
