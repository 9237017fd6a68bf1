// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// The description of the program and the device for a login request (§1.4). Unknown values are empty strings.
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

    /// The `User-Agent` of a WebSocket upgrade (§2.1), with the program's addition.
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
