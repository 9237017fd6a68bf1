// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// What a login tells of the program and the device (§1.4). What is not known is an empty text.
enum DeviceInformation {
    static func json(appId: String) -> JSON {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let versionText = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        return [
            "appId": .string(appId), "platform": .string(platform), "platformVersion": .string(versionText),
            "sdk": "Realm Swift", "sdkVersion": "10.54.0", "cpuArch": .string(processor), "deviceName": "",
            "deviceVersion": "", "frameworkName": "", "frameworkVersion": "", "coreVersion": "14.14.0", "bundleId": "",
        ]
    }

    /// What an upgrade to a WebSocket tells of the program (§2.1), with what the program adds.
    static func userAgent(_ addition: String) -> String {
        "RealmSync/14.14.0 (\(platform) \(processor)) RealmSwift/10.54.0" + (addition.isEmpty ? "" : " " + addition)
    }

    private static var platform: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(Linux)
            "Linux"
        #else
            ""
        #endif
    }

    private static var processor: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            ""
        #endif
    }
}
