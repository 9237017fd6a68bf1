// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The app object passed to an app delegate. Of UIKit's class, it declares only the launch options.
@MainActor public final class UIApplication {
    /// A key of the launch options.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name of the key.
        public let rawValue: String
        /// Creates a key from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The shared app object.
    public static let shared = UIApplication()
    private init() {}
}

/// An object that configures the app before its first window is shown.
@MainActor public protocol UIApplicationDelegate: AnyObject {
    /// Creates the delegate.
    init()
    /// Configures the app. The launch options are always `nil`, and the result has no effect.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

extension UIApplicationDelegate {
    /// Returns true.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
}

/// A property that creates the app's delegate and calls it before the first window is shown. Each type of delegate has
/// one instance in the process.
@MainActor @preconcurrency @propertyWrapper public struct UIApplicationDelegateAdaptor<DelegateType>: DynamicProperty
where DelegateType: UIApplicationDelegate {
    /// The delegate.
    public let wrappedValue: DelegateType

    /// Creates and calls the delegate, unless one of this type already exists.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        wrappedValue = Delegates.delegate(delegateType)
    }
}

@MainActor private enum Delegates {
    private static var made: [ObjectIdentifier: AnyObject] = [:]

    static func delegate<T: UIApplicationDelegate>(_ type: T.Type) -> T {
        if let delegate = made[ObjectIdentifier(type)] as? T { return delegate }
        let delegate = T()
        made[ObjectIdentifier(type)] = delegate
        _ = delegate.application(.shared, didFinishLaunchingWithOptions: nil)
        return delegate
    }
}
