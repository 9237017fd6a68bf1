// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The program, as an app delegate is given it. Nothing of UIKit's class is here but the name of its options.
@MainActor public final class UIApplication {
    /// Why a program was launched: a browser gives no reason.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String
        /// Makes a key.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The program.
    public static let shared = UIApplication()
    private init() {}
}

/// An object that sets a program up before its first window.
@MainActor public protocol UIApplicationDelegate: AnyObject {
    /// Makes the delegate.
    init()
    /// Sets the program up.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

extension UIApplicationDelegate {
    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
}

/// The delegate of a program: made once in a process, and called before the first window is shown.
@MainActor @preconcurrency @propertyWrapper public struct UIApplicationDelegateAdaptor<DelegateType>: DynamicProperty
where DelegateType: UIApplicationDelegate {
    /// The delegate.
    public let wrappedValue: DelegateType

    /// Makes the delegate, if there is none of the type yet, and calls it.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        wrappedValue = Delegates.delegate(delegateType)
    }
}

/// The delegates that programs have.
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
