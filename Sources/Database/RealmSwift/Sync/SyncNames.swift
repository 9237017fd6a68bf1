// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The names that Swift code uses for the Objective-C part of the original SDK: apps, users and sessions.

/// Another name of ``App``, which the Objective-C half of Realm's SDK has.
public typealias RLMApp = App
/// Another name of ``AppConfiguration``, which the Objective-C half of Realm's SDK has.
public typealias RLMAppConfiguration = AppConfiguration
/// Another name of ``User``, which the Objective-C half of Realm's SDK has.
public typealias RLMUser = User
/// Another name of ``UserProfile``, which the Objective-C half of Realm's SDK has.
public typealias RLMUserProfile = UserProfile
/// Another name of ``UserIdentity``, which the Objective-C half of Realm's SDK has.
public typealias RLMUserIdentity = UserIdentity
/// Another name of ``UserState``, which the Objective-C half of Realm's SDK has.
public typealias RLMUserState = UserState
/// Another name of ``UserAPIKey``, which the Objective-C half of Realm's SDK has.
public typealias RLMUserAPIKey = UserAPIKey
/// Another name of ``APIKeyAuth``, which the Objective-C half of Realm's SDK has.
public typealias RLMAPIKeyAuth = APIKeyAuth
/// Another name of ``EmailPasswordAuth``, which the Objective-C half of Realm's SDK has.
public typealias RLMEmailPasswordAuth = EmailPasswordAuth
/// Another name of ``PushClient``, which the Objective-C half of Realm's SDK has.
public typealias RLMPushClient = PushClient
/// Another name of ``SyncManager``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncManager = SyncManager
/// Another name of ``SyncTimeoutOptions``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncTimeoutOptions = SyncTimeoutOptions
/// Another name of ``SyncLogLevel``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncLogLevel = SyncLogLevel
/// Another name of ``SyncSession``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncSession = SyncSession
/// Another name of ``SyncConfiguration``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncConfiguration = SyncConfiguration
/// Another name of ``SyncError``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncError = SyncError
/// Another name of ``MaxKey``, which the Objective-C half of Realm's SDK has.
public typealias RLMMaxKey = MaxKey
/// Another name of ``MinKey``, which the Objective-C half of Realm's SDK has.
public typealias RLMMinKey = MinKey
/// Another name of ``CompensatingWriteInfo``, which the Objective-C half of Realm's SDK has.
public typealias RLMCompensatingWriteInfo = CompensatingWriteInfo
/// Another name of ``Credentials``, which the Objective-C half of Realm's SDK has.
public typealias RLMCredentials = Credentials
/// Another name of ``Provider``, which the Objective-C half of Realm's SDK has.
public typealias RLMIdentityProvider = Provider
/// Another name of ``SyncSession/State``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncSessionState = SyncSession.State
/// Another name of ``SyncSession/ConnectionState``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncConnectionState = SyncSession.ConnectionState
/// Another name of ``SyncSession/ProgressNotificationToken``, which the Objective-C half of Realm's SDK has.
public typealias RLMProgressNotificationToken = SyncSession.ProgressNotificationToken
/// Another name of ``SyncError/ActionToken``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncErrorActionToken = SyncError.ActionToken
/// Another name of ``ErrorReportingBlock``, which the Objective-C half of Realm's SDK has.
public typealias RLMSyncErrorReportingBlock = ErrorReportingBlock
/// Another name of ``EmailPasswordAuthOptionalErrorBlock``, which the Objective-C half of Realm's SDK has.
public typealias RLMEmailPasswordAuthOptionalErrorBlock = EmailPasswordAuthOptionalErrorBlock
/// Another name of ``SyncError/ActionToken``.
public typealias ActionToken = SyncError.ActionToken
/// Receives the user, or the error of a request.
public typealias UserCompletionBlock = @Sendable (User?, Error?) -> Void
/// Another name of ``UserCompletionBlock``, which the Objective-C half of Realm's SDK has.
public typealias RLMUserCompletionBlock = UserCompletionBlock
