// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The JSON of an error that a server sends to clients of version 4 and later (§2.6, §2.9).
package struct ServerError: Hashable, Sendable {
    package var message: String
    package var logURL: String
    package var shouldClientReset: Bool
    package var isRecoveryModeDisabled: Bool
    package var canTryAgain: Bool
    package var action: Action
    package var backOff: BackOff?
    /// The query that replaces a partition, for error 232.
    package var partitionQuery: String?
    /// For error 236.
    package var previousSchemaVersion: UInt64?
    package var rejection: Rejection?

    package init(
        _ message: String, _ action: Action, canTryAgain: Bool, logURL: String = "", backOff: BackOff? = nil,
        partitionQuery: String? = nil, previousSchemaVersion: UInt64? = nil, rejection: Rejection? = nil
    ) {
        self.message = message
        self.logURL = logURL
        shouldClientReset = action == .clientReset || action == .clientResetNoRecovery
        isRecoveryModeDisabled = action == .clientResetNoRecovery
        self.canTryAgain = canTryAgain
        self.action = action
        self.backOff = backOff
        self.partitionQuery = partitionQuery
        self.previousSchemaVersion = previousSchemaVersion
        self.rejection = rejection
    }

    package enum Action: String, Hashable, Sendable, CaseIterable {
        case protocolViolation = "ProtocolViolation"
        case applicationBug = "ApplicationBug"
        case warning = "Warning"
        case transient = "Transient"
        case deleteRealm = "DeleteRealm"
        case clientReset = "ClientReset"
        case clientResetNoRecovery = "ClientResetNoRecovery"
        case migrateToFLX = "MigrateToFLX"
        case revertToPBS = "RevertToPBS"
        case migrateSchema = "MigrateSchema"
        case refreshUser = "RefreshUser"
        case refreshLocation = "RefreshLocation"
        case logOutUser = "LogOutUser"

        /// An unknown name counts as a bug of the application.
        package init(name: String) { self = Action(rawValue: name) ?? .applicationBug }
    }

    package struct BackOff: Hashable, Sendable {
        package var interval: UInt64
        package var maxDelay: UInt64
        package var multiplier: UInt64
    }

    package struct Rejection: Hashable, Sendable {
        package var updates: [Update]
        package var clientVersion: UInt64
        package var compensatingVersion: UInt64?

        package init(updates: [Update], clientVersion: UInt64, compensatingVersion: UInt64? = nil) {
            self.updates = updates
            self.clientVersion = clientVersion
            self.compensatingVersion = compensatingVersion
        }

        package struct Update: Hashable, Sendable {
            package var reason: String
            package var object: ObjectReference

            package init(reason: String, object: ObjectReference) {
                self.reason = reason
                self.object = object
            }
        }
    }
}

extension ServerError {
    package init?(_ json: JSON) {
        guard let message = json["message"]?.text, let logURL = json["logURL"]?.text,
            let shouldClientReset = json["shouldClientReset"]?.bool,
            let isRecoveryModeDisabled = json["isRecoveryModeDisabled"]?.bool,
            let canTryAgain = json["tryAgain"]?.bool, let action = json["action"]?.text
        else { return nil }
        self.message = message
        self.logURL = logURL
        self.shouldClientReset = shouldClientReset
        self.isRecoveryModeDisabled = isRecoveryModeDisabled
        self.canTryAgain = canTryAgain
        self.action = Action(name: action)
        partitionQuery = json["partitionQuery"]?.text
        previousSchemaVersion = json["previousSchemaVersion"]?.integer()
        if let interval: UInt64 = json["backoffIntervalSec"]?.integer() {
            guard let greatest: UInt64 = json["backoffMaxDelaySec"]?.integer(),
                let multiplier: UInt64 = json["backoffMultiplier"]?.integer()
            else { return nil }
            backOff = BackOff(interval: interval, maxDelay: greatest, multiplier: multiplier)
        }
        if let updates = json["rejectedUpdates"] {
            guard let rejection = Rejection(updates, json) else { return nil }
            self.rejection = rejection
        }
    }

    package var json: JSON {
        var members: [JSON.Member] = [
            JSON.Member("message", .string(message)), JSON.Member("logURL", .string(logURL)),
            JSON.Member("shouldClientReset", .bool(shouldClientReset)),
            JSON.Member("isRecoveryModeDisabled", .bool(isRecoveryModeDisabled)),
            JSON.Member("tryAgain", .bool(canTryAgain)), JSON.Member("action", .string(action.rawValue)),
        ]
        if let backOff {
            members.append(JSON.Member("backoffIntervalSec", .int(backOff.interval)))
            members.append(JSON.Member("backoffMaxDelaySec", .int(backOff.maxDelay)))
            members.append(JSON.Member("backoffMultiplier", .int(backOff.multiplier)))
        }
        if let partitionQuery { members.append(JSON.Member("partitionQuery", .string(partitionQuery))) }
        if let previousSchemaVersion {
            members.append(JSON.Member("previousSchemaVersion", .int(previousSchemaVersion)))
        }
        members += rejection?.members ?? []
        return .object(members)
    }
}

extension ServerError.Rejection {
    fileprivate init?(_ updates: JSON, _ json: JSON) {
        guard let elements = updates.elements, let version: UInt64 = json["rejectedClientVersion"]?.integer() else {
            return nil
        }
        self.updates = []
        for element in elements {
            guard let update = Update(element) else { return nil }
            self.updates.append(update)
        }
        clientVersion = version
        compensatingVersion = json["compensatingWriteServerVersion"]?.integer()
    }

    fileprivate var members: [JSON.Member] {
        var members = [
            JSON.Member("rejectedUpdates", .array(updates.map(\.json))),
            JSON.Member("rejectedClientVersion", .int(clientVersion)),
        ]
        if let compensatingVersion {
            members.append(JSON.Member("compensatingWriteServerVersion", .int(compensatingVersion)))
        }
        return members
    }
}

extension ServerError.Rejection.Update {
    fileprivate init?(_ json: JSON) {
        guard let reason = json["reason"]?.text, let table = json["table"]?.text,
            let key = json["pk"]?.text.flatMap({ Base64.bytes($0) }).flatMap({ PrimaryKey(inline: $0) })
        else { return nil }
        self.reason = reason
        object = ObjectReference(Text(table), key)
    }

    fileprivate var json: JSON {
        [
            "reason": .string(reason), "table": .string(object.table.string),
            "pk": .string(Base64.text(object.key.inlineEncoding)),
        ]
    }
}
