/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of libudev that hwloc calls, for programs that are linked statically: Debian has no
 * libudev.a. There is no udev in such a program, and hwloc, which asks it for details of disks, does without.
 */
#define NO_UDEV(name)                       \
    __attribute__((weak)) void *name(void); \
    void *name(void) { return 0; }

NO_UDEV(udev_new)
NO_UDEV(udev_unref)
NO_UDEV(udev_device_new_from_subsystem_sysname)
NO_UDEV(udev_device_get_property_value)
NO_UDEV(udev_device_unref)
